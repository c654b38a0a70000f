#ifndef ENCIRCLE_SERVICE_RESOURCES_H
#define ENCIRCLE_SERVICE_RESOURCES_H

#include <stddef.h>

/// A file that the program carries in itself.
struct service_resource {
  /// Its path below the folder of this module, such as "page/app.js".
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/// How many files there are.
size_t service_resource_count(void);

/// The file at an index below that count.
const struct service_resource *service_resource_at(size_t index);

#endif

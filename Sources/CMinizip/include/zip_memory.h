// ZIP archives in memory, by minizip. Entries are read in pieces, so that the reader decides how much is unpacked.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zip_input zip_input;

typedef enum {
  zip_entry_open = 0,
  zip_entry_missing = 1,
  // It is encrypted, compressed by an unknown method, or malformed.
  zip_entry_unreadable = 2,
} zip_entry_status;

// Opens an archive; its bytes must stay until it is freed. Returns NULL if they are not an archive.
zip_input *zip_input_open(const uint8_t *bytes, size_t count);

// Opens the first entry with that name, ignoring the case of ASCII letters.
zip_entry_status zip_input_find(zip_input *input, const char *name);

// Reads on in the open entry. Returns the number of bytes, 0 at the end, -1 if the entry is broken.
long zip_input_read(zip_input *input, uint8_t *buffer, size_t count);

void zip_input_free(zip_input *input);

typedef struct zip_output zip_output;

// NULL if there is no memory.
zip_output *zip_output_open(void);

// Adds an entry, dated 1980-01-01, so that equal contents make equal archives. Returns 0 on success.
int zip_output_add(zip_output *output, const char *name, const uint8_t *bytes, size_t count, int level);

// Ends the archive, and returns its bytes, which stay until it is freed; NULL if something has failed.
const uint8_t *zip_output_finish(zip_output *output, size_t *count);

void zip_output_free(zip_output *output);

#ifdef __cplusplus
}
#endif

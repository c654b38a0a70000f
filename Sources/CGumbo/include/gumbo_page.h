// Parses HTML by gumbo, in memory that is given back as a whole and has a limit.
#pragma once

#include <gumbo.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  gumbo_page_ok = 0,
  // The tree would take more memory than allowed.
  gumbo_page_too_large = 1,
  // The tree would have more nodes than allowed.
  gumbo_page_too_many_nodes = 2,
} gumbo_page_status;

// A parsed page, to be given back by gumbo_page_free, whatever the status.
typedef struct gumbo_page gumbo_page;

// Parses a whole document, which must stay where it is as long as the page is used.
//
// gumbo frees its nodes recursively, and continues with a null pointer when there is no memory left. Here, all its memory comes
// from one arena, which is freed as a whole, and the parse ends when a limit is exceeded.
gumbo_page_status gumbo_page_parse(const char *text, size_t length, size_t byte_limit, size_t node_limit, gumbo_page **page);

// The document node.
const GumboNode *gumbo_page_document(const gumbo_page *page);

void gumbo_page_free(gumbo_page *page);

#ifdef __cplusplus
}
#endif

#include "gumbo_page.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

// A piece of the arena. Its bytes follow.
typedef struct chunk {
  struct chunk *next;
  size_t size;
} chunk;

struct gumbo_page {
  chunk *chunks;
  // The next free byte, and the number of free bytes from there on.
  unsigned char *free_bytes;
  size_t left;
  size_t used, byte_limit;
  size_t nodes, node_limit;
  gumbo_page_status status;
  jmp_buf failure;
  GumboOutput *output;
};

static const size_t chunk_size = 1 << 18;
static const size_t alignment = 16;

static void fail(gumbo_page *page, gumbo_page_status status) {
  page->status = status;
  longjmp(page->failure, 1);
}

static void *allocate(void *data, size_t size) {
  gumbo_page *page = data;
  // Only nodes have this size, apart from rare other allocations, so this counts nodes.
  if (size == sizeof(GumboNode) && ++page->nodes > page->node_limit) fail(page, gumbo_page_too_many_nodes);
  if (size > page->byte_limit) fail(page, gumbo_page_too_large);
  size = size < alignment ? alignment : (size + alignment - 1) & ~(alignment - 1);
  if (size > page->left) {
    size_t bytes = size > chunk_size ? size : chunk_size;
    if (page->used + bytes > page->byte_limit) fail(page, gumbo_page_too_large);
    chunk *new = malloc(sizeof(chunk) + alignment + bytes);
    if (!new) fail(page, gumbo_page_too_large);
    new->next = page->chunks;
    new->size = bytes;
    page->chunks = new;
    page->used += bytes;
    uintptr_t start = (uintptr_t)(new + 1);
    page->free_bytes = (unsigned char *)((start + alignment - 1) & ~(uintptr_t)(alignment - 1));
    page->left = bytes;
  }
  void *result = page->free_bytes;
  page->free_bytes += size;
  page->left -= size;
  return result;
}

static void deallocate(void *data, void *bytes) {
  (void)data;
  (void)bytes;
}

gumbo_page_status gumbo_page_parse(const char *text, size_t length, size_t byte_limit, size_t node_limit,
                                   gumbo_page **result) {
  gumbo_page *page = calloc(1, sizeof(gumbo_page));
  *result = page;
  if (!page) return gumbo_page_too_large;
  page->byte_limit = byte_limit;
  page->node_limit = node_limit;
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = allocate;
  options.deallocator = deallocate;
  options.userdata = page;
  options.max_errors = 0;
  if (setjmp(page->failure) == 0) page->output = gumbo_parse_with_options(&options, text, length);
  return page->status;
}

const GumboNode *gumbo_page_document(const gumbo_page *page) {
  return page->output ? page->output->document : NULL;
}

void gumbo_page_free(gumbo_page *page) {
  if (!page) return;
  chunk *next = page->chunks;
  while (next) {
    chunk *current = next;
    next = current->next;
    free(current);
  }
  free(page);
}

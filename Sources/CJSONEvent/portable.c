#include "tokens.h"

typedef uint8_t bytes_vector __attribute__((ext_vector_type(16)));
typedef int8_t signed_vector __attribute__((ext_vector_type(16)));

#if defined(__SSE2__)
#include <emmintrin.h>

INLINE uint32_t high_bits(bytes_vector vector) { return (uint32_t)_mm_movemask_epi8((__m128i)vector); }
#else
typedef bool bool_vector __attribute__((ext_vector_type(16)));

INLINE uint32_t high_bits(bytes_vector vector) {
  bool_vector flags = __builtin_convertvector((signed_vector)vector < 0, bool_vector);
  uint16_t bits;
  memcpy(&bits, &flags, sizeof bits);
  return bits;
}
#endif

// All bits that `high_bits` can set.
#define all_bits 0xFFFFu

#include "read_event.inc"

size_t encircle_json_read_portable(const uint8_t *text, encircle_json_event *event, size_t *line_length) {
  return read_event(text, event, line_length);
}

void encircle_json_mark_portable(const uint8_t *text, size_t length, encircle_json_marks *marks) {
  mark_text(text, length, marks);
}

#if !defined(__x86_64__)
void encircle_json_mark(const uint8_t *text, size_t length, encircle_json_marks *marks) { mark_text(text, length, marks); }

size_t encircle_json_read(const uint8_t *text, encircle_json_event *event, size_t *line_length) {
  return read_event(text, event, line_length);
}
#endif

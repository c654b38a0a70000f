#if defined(__x86_64__)
#include <immintrin.h>

#include "tokens.h"

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)

typedef uint8_t bytes_vector __attribute__((ext_vector_type(32)));
typedef int8_t signed_vector __attribute__((ext_vector_type(32)));

INLINE uint32_t high_bits(bytes_vector vector) { return (uint32_t)_mm256_movemask_epi8((__m256i)vector); }

// All bits that `high_bits` can set.
#define all_bits UINT32_MAX

#include "read_event.inc"

static void mark_fast(const uint8_t *text, size_t length, encircle_json_marks *marks) { mark_text(text, length, marks); }

#pragma clang attribute pop

void encircle_json_mark_portable(const uint8_t *text, size_t length, encircle_json_marks *marks);

void encircle_json_mark(const uint8_t *text, size_t length, encircle_json_marks *marks) {
  if (__builtin_cpu_supports("avx2")) mark_fast(text, length, marks);
  else encircle_json_mark_portable(text, length, marks);
}

size_t encircle_json_read(const uint8_t *text, encircle_json_event *event, size_t *line_length) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    return read_event(text, event, line_length);
  }
  return encircle_json_read_portable(text, event, line_length);
}
#endif

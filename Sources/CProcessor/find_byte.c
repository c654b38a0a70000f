#include "processor.h"

#include <stdbool.h>
#include <string.h>

typedef uint8_t bytes_vector __attribute__((ext_vector_type(16)));
typedef int8_t signed_vector __attribute__((ext_vector_type(16)));

// One bit for each byte of a vector: the byte's highest bit.
#if defined(__SSE2__)
#include <emmintrin.h>

static inline uint32_t high_bits(signed_vector vector) { return (uint32_t)_mm_movemask_epi8((__m128i)vector); }
#else
typedef bool bool_vector __attribute__((ext_vector_type(16)));

static inline uint32_t high_bits(signed_vector vector) {
  bool_vector flags = __builtin_convertvector(vector < 0, bool_vector);
  uint16_t bits;
  memcpy(&bits, &flags, sizeof bits);
  return bits;
}
#endif

size_t encircle_find_byte(const uint8_t *text, size_t length, uint8_t byte, uint32_t *places) {
  size_t count = 0, start = 0;
  while (start < length) {
    uint64_t marks = 0;
    size_t here = length - start < 64 ? length - start : 64;
    if (here == 64) {
      for (size_t i = 0; i < 4; i++) {
        bytes_vector vector;
        memcpy(&vector, text + start + 16 * i, sizeof vector);
        marks |= (uint64_t)high_bits((signed_vector)(vector == byte)) << (16 * i);
      }
    } else {
      size_t i = 0;
      for (; i + 16 <= here; i += 16) {
        bytes_vector vector;
        memcpy(&vector, text + start + i, sizeof vector);
        marks |= (uint64_t)high_bits((signed_vector)(vector == byte)) << i;
      }
      for (; i < here; i++) marks |= (uint64_t)(text[start + i] == byte) << i;
    }
    // A fixed number of places is written each time, because processors mispredict loops whose length varies.
    size_t found = (size_t)__builtin_popcountll(marks);
    uint32_t *place = places + count;
    for (size_t done = 0; done < found; done += 4) {
      for (size_t i = 0; i < 4; i++) {
        place[done + i] = (uint32_t)start + (uint32_t)(marks == 0 ? 0 : __builtin_ctzll(marks));
        marks &= marks - 1;
      }
    }
    count += found;
    start += here;
  }
  return count;
}

size_t encircle_find_last_byte(const uint8_t *text, size_t length, uint8_t byte) {
  while (length >= 16) {
    bytes_vector vector;
    memcpy(&vector, text + length - 16, sizeof vector);
    uint32_t marks = high_bits((signed_vector)(vector == byte));
    if (marks != 0) return length - 16 + 32 - (size_t)__builtin_clz(marks);
    length -= 16;
  }
  while (length > 0 && text[length - 1] != byte) length--;
  return length;
}

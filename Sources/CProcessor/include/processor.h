#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Processor instructions that Swift cannot express.

/// Announces that memory will be read soon. Any address is allowed.
static inline void encircle_prefetch(const void *address) { __builtin_prefetch(address); }

/// Finds the places of a byte in a text, in order, and returns their number.
///
/// `places` must have room for `length` + 8 numbers; numbers after the found places have no meaning.
size_t encircle_find_byte(const uint8_t *text, size_t length, uint8_t byte, uint32_t *places);

/// The last place of a byte in a text, plus 1; 0 if the text does not contain it.
size_t encircle_find_last_byte(const uint8_t *text, size_t length, uint8_t byte);

#ifdef __cplusplus
}
#endif

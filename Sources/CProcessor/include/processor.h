#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Processor instructions that Swift cannot express.

/// Says that memory will be read soon. Any address will do.
static inline void encircle_prefetch(const void *address) { __builtin_prefetch(address); }

/// Finds the places of a byte in a text, in order, and returns their number.
///
/// `places` must have room for `length` + 8 numbers; those behind the ones found are of no meaning.
size_t encircle_find_byte(const uint8_t *text, size_t length, uint8_t byte, uint32_t *places);

/// The last place of a byte in a text plus 1; 0 if it is not there.
size_t encircle_find_last_byte(const uint8_t *text, size_t length, uint8_t byte);

#ifdef __cplusplus
}
#endif

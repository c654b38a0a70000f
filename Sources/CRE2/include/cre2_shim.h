#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled regular expression of RE2.
typedef struct encircle_re2 encircle_re2;

/// Compiles `length` bytes of UTF-8; never null. The caller frees it.
encircle_re2 *encircle_re2_compile(const char *pattern, size_t length, bool fold_case);

/// Null if the expression is valid, else RE2's message, which lives as long as the expression.
const char *encircle_re2_error(const encircle_re2 *expression);

/// The number of instructions that the expression was compiled to; 0 if it is not valid.
size_t encircle_re2_size(const encircle_re2 *expression);

/// Whether the expression matches anywhere in `length` bytes. Linear in `length`; callable from several threads.
bool encircle_re2_matches(const encircle_re2 *expression, const char *text, size_t length);

/// Finds the leftmost match in `length` bytes, and where it is. Linear in `length`; callable from several threads.
bool encircle_re2_find(const encircle_re2 *expression, const char *text, size_t length, size_t *start, size_t *count);

void encircle_re2_free(encircle_re2 *expression);

#ifdef __cplusplus
}
#endif

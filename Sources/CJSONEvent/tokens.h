#pragma once
#include "json_event.h"

#include <string.h>

// The tokens of JSON (RFC 8259). Texts end with a line feed, which no token contains.

#define INLINE static inline __attribute__((always_inline))

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");

INLINE uint64_t load_word(const uint8_t *text) {
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

INLINE uint32_t load_half(const uint8_t *text) {
  uint32_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

/// Loads two bytes as a number, for comparison with two characters.
INLINE uint16_t load_pair(const uint8_t *text) {
  uint16_t word;
  memcpy(&word, text, sizeof word);
  return word;
}
#define PAIR(first, second) ((first) | (second) << 8)

INLINE bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

/// The first byte after white space within a line.
INLINE const uint8_t *skip_space(const uint8_t *text) {
  if (__builtin_expect(*text > ' ', 1)) return text;
  while (*text == ' ' || *text == '\t' || *text == '\r') text++;
  return text;
}

/// The first byte after digits.
INLINE const uint8_t *skip_digits(const uint8_t *text) {
  while (true) {
    // This makes digits 0 to 9; after adding 0x76, every other value has the highest bit.
    uint64_t word = load_word(text) ^ 0x3030303030303030;
    uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    if (others != 0) return text + (__builtin_ctzll(others) >> 3);
    text += 8;
  }
}

/// The end of the number that begins at `text`; null if none does.
INLINE const uint8_t *number_end(const uint8_t *text) {
  text += *text == '-';
  if (*text == '0') {
    text += 1;
  } else {
    if (!is_digit(*text)) return NULL;
    text = skip_digits(text);
  }
  if (*text == '.') {
    text += 1;
    if (!is_digit(*text)) return NULL;
    text = skip_digits(text);
  }
  if ((*text | 0x20) == 'e') {
    text += 1;
    text += *text == '+' || *text == '-';
    if (!is_digit(*text)) return NULL;
    text = skip_digits(text);
  }
  return text;
}

/// The end of the number or word that begins at `text`, and its kind; null if none does.
INLINE const uint8_t *scalar_end(const uint8_t *text, uint8_t *kind) {
  if (is_digit(*text) || *text == '-') {
    *kind = encircle_json_number;
    return number_end(text);
  }
  switch (load_half(text)) {
  case 0x65757274: *kind = encircle_json_true; return text + 4;
  case 0x736C6166: *kind = encircle_json_false; return text[4] == 'e' ? text + 5 : NULL;
  case 0x6C6C756E: *kind = encircle_json_null; return text + 4;
  default: return NULL;
  }
}

/// The value of a hexadecimal digit, or 16 or more.
INLINE unsigned hex_digit(uint8_t byte) {
  if (is_digit(byte)) return byte - '0';
  unsigned letter = (unsigned)((byte | 0x20) - 'a');
  return letter < 6 ? letter + 10 : 16;
}

/// The length of the escape sequence that begins with this backslash; 0 if it is malformed.
static size_t escape_length(const uint8_t *text) {
  switch (text[1]) {
  case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return 2;
  case 'u':
    for (int i = 2; i < 6; i++) {
      if (hex_digit(text[i]) > 15) return 0;
    }
    return 6;
  default: return 0;
  }
}

INLINE bool continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// The end of the UTF-8 sequences (RFC 3629 section 4) of more than one byte that begin at `text`; null if one is
/// malformed.
static const uint8_t *behind_scalars(const uint8_t *text) {
  while (*text >= 0x80) {
    uint32_t word = load_half(text);
    uint32_t lead = word & 0x200F;
    if ((word & 0xC0C0F0) == 0x8080E0 && lead != 0 && lead != 0x200D) {
      // Three bytes, not an overlong form, not a surrogate.
      text += 3;
    } else if (text[0] >= 0xC2 && text[0] <= 0xDF && continues(text[1])) {
      text += 2;
    } else if (text[0] >= 0xF0 && text[0] <= 0xF4 && continues(text[1]) && continues(text[2]) && continues(text[3])) {
      // Not an overlong form, and up to U+10FFFF.
      if (text[0] == 0xF0 ? text[1] < 0x90 : text[0] == 0xF4 && text[1] > 0x8F) return NULL;
      text += 4;
    } else {
      return NULL;
    }
  }
  return text;
}

INLINE uint32_t code_unit(const uint8_t *text) {
  return hex_digit(text[0]) << 12 | hex_digit(text[1]) << 8 | hex_digit(text[2]) << 4 | hex_digit(text[3]);
}

INLINE uint8_t *put_scalar(uint32_t value, uint8_t *output) {
  if (value < 0x80) {
    *output++ = (uint8_t)value;
  } else if (value < 0x800) {
    *output++ = (uint8_t)(0xC0 | value >> 6);
    *output++ = (uint8_t)(0x80 | (value & 0x3F));
  } else {
    if (value < 0x10000) {
      *output++ = (uint8_t)(0xE0 | value >> 12);
    } else {
      *output++ = (uint8_t)(0xF0 | value >> 18);
      *output++ = (uint8_t)(0x80 | (value >> 12 & 0x3F));
    }
    *output++ = (uint8_t)(0x80 | (value >> 6 & 0x3F));
    *output++ = (uint8_t)(0x80 | (value & 0x3F));
  }
  return output;
}

/// Writes the value of a valid string, which is at most as long as the string; a lone surrogate becomes U+FFFD. Returns
/// the end of the value.
static uint8_t *unescape(const uint8_t *text, const uint8_t *end, uint8_t *output) {
  while (true) {
    const uint8_t *backslash = memchr(text, '\\', (size_t)(end - text));
    size_t plain = (size_t)((backslash != NULL ? backslash : end) - text);
    memcpy(output, text, plain);
    output += plain;
    if (backslash == NULL) return output;
    text = backslash + 2;
    switch (backslash[1]) {
    case 'b': *output++ = '\b'; break;
    case 'f': *output++ = '\f'; break;
    case 'n': *output++ = '\n'; break;
    case 'r': *output++ = '\r'; break;
    case 't': *output++ = '\t'; break;
    case 'u': {
      uint32_t value = code_unit(text);
      text += 4;
      if ((value & 0xFC00) == 0xD800 && end - text >= 6 && text[0] == '\\' && text[1] == 'u' &&
          (code_unit(text + 2) & 0xFC00) == 0xDC00) {
        value = 0x10000 + ((value & 0x3FF) << 10) + (code_unit(text + 2) & 0x3FF);
        text += 6;
      }
      output = put_scalar((value & 0xFFFFF800) == 0xD800 ? 0xFFFD : value, output);
      break;
    }
    // A quote, a backslash and a slash stand for themselves.
    default: *output++ = backslash[1];
    }
  }
}

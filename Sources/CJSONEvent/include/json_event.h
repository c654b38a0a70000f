#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of bytes before and after an event that are read, whatever they hold.
enum { encircle_json_margin = 64 };

/// The kinds of values.
enum {
  encircle_json_missing,
  encircle_json_null,
  encircle_json_false,
  encircle_json_true,
  encircle_json_number,
  encircle_json_string,
  encircle_json_composite,
};

/// A value of an event.
typedef struct {
  /// The number of the event that has the value, times 256, plus the kind of the value. With another event's number, the
  /// value is missing.
  uint32_t tag;
  /// The number of bytes of a number, string or array; else 0.
  int32_t length;
  /// The text of a number, of a string with its escapes replaced, or of an array; else any pointer but null.
  const uint8_t *start;
} encircle_json_value;

/// A name that is looked for.
typedef struct {
  /// The first bytes of the name and the quote after it, padded with zeros; the mask has ones at their places. In a free
  /// place of a table, the mask is zero and the start is not.
  uint8_t start[32], mask[32];
  /// The whole name.
  const uint8_t *name;
  uint32_t length;
  /// The number of the place for the value, and flags.
  uint32_t number;
  uint8_t unused[48];
} encircle_json_name;

/// Flags of a name: it is the member with the event's properties, or the alternative to that member; it is longer than 31
/// bytes.
#define encircle_json_properties 0x80000000u
#define encircle_json_attributes 0x40000000u
#define encircle_json_long_name 0x20000000u
/// The lowest flag.
#define encircle_json_flags 0x20000000u

/// A hash table of names.
typedef struct {
  /// The names, each at the place of its hash or up to `distance` places after it. At least `distance` places follow the
  /// place of the greatest hash.
  const encircle_json_name *names;
  /// The multipliers of the hash.
  uint64_t factor;
  uint64_t length_factor;
  /// 64 - the number of bits of the hash.
  uint32_t shift;
  uint32_t distance;
  /// Names of fewer than three bytes, which have no hash.
  const encircle_json_name *short_names;
  uint32_t short_count;
} encircle_json_names;

/// The hash of a name of at least three bytes that stands between quotes.
static inline size_t encircle_json_hash(const encircle_json_names *table, const uint8_t *name, size_t length) {
  uint32_t first, middle, last;
  __builtin_memcpy(&first, name, sizeof first);
  __builtin_memcpy(&middle, name + length / 2 - 2, sizeof middle);
  __builtin_memcpy(&last, name + length - sizeof last, sizeof last);
  uint64_t sum = ((uint64_t)first << 32 | last) * table->factor + ((uint64_t)length << 32 | middle) * table->length_factor;
  return (size_t)(sum >> table->shift);
}

/// Marks of the quotes in a text, and of the other bytes that matter in strings: one bit for each byte, the lowest bit
/// for the first byte.
typedef struct {
  /// The first byte of the marked text.
  const uint8_t *text;
  size_t length;
  uint8_t *quotes;
  /// Backslashes, control characters and bytes beyond ASCII.
  uint8_t *special;
} encircle_json_marks;

/// The bytes that each kind of marks needs for a text of this length.
static inline size_t encircle_json_marks_size(size_t length) { return (length + 63) / 64 * 8 + 8; }

/// The values to take out of events, and the places for them.
typedef struct {
  /// Members of the event itself, and of its properties.
  encircle_json_names root, properties;
  /// The number of wanted values. It is also the number of the place for all other values.
  uint32_t count;
  /// The deepest nesting of arrays and objects, at most 512.
  uint32_t depth_limit;
  /// Room for `count` + 1.
  encircle_json_value *values;
  /// The number of the event times 256.
  uint32_t tag;
  /// Room for as many bytes as the line has.
  uint8_t *texts;
  /// Marks around the event. An event may extend beyond them, but reading that part takes longer.
  encircle_json_marks marks;
} encircle_json_event;

/// Marks a text.
void encircle_json_mark(const uint8_t *text, size_t length, encircle_json_marks *marks);

/// Reads an event that is alone in its line, apart from white space after it, and sets its values.
///
/// Returns the number of bytes up to the brace that ends it, and sets `line_length` to the number up to the line feed, which must
/// be there. Returns 0 if this is not an event, or if the event has a rare construct, such as an escape sequence in a name that
/// may be wanted; the values then mean nothing, and the caller must read the event in another way.
///
/// `text` must begin with `{`.
size_t encircle_json_read(const uint8_t *text, encircle_json_event *event, size_t *line_length);

/// The same as `encircle_json_read`, without instructions that only some processors have.
size_t encircle_json_read_portable(const uint8_t *text, encircle_json_event *event, size_t *line_length);

#ifdef __cplusplus
}
#endif

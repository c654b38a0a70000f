/*
 * libencircle: decides events by the rules of Encircle.
 *
 *     encircle_rules *rules = encircle_rules_create();
 *     if (encircle_rules_load(rules, bytes, length, "v7") != ENCIRCLE_OK) puts(encircle_rules_last_error(rules).bytes);
 *     encircle_decider *decider = encircle_decider_create(rules);
 *     encircle_text decision;
 *     if (encircle_decide(decider, event, event_length, &decision) == ENCIRCLE_OK) puts(decision.bytes);
 *     encircle_decider_destroy(decider);
 *     encircle_rules_destroy(rules);
 *
 * Threads: loaded rules are immutable, and any number of threads may use them at once. Only one thread at a time may use a decider,
 * so each thread needs its own. A decider keeps the rules that it needs, so the two can be destroyed in any order. There is no
 * global state.
 *
 * Errors: a function that can fail returns a status, and the handle keeps the error message until its next call. No input makes the
 * library abort, and an unexpected null pointer gives ENCIRCLE_INVALID_ARGUMENT; only running out of memory ends the process.
 *
 * Texts are UTF-8. Returned texts belong to the handle, and are valid until the next call with the same handle. They end with a zero
 * byte that the length does not count.
 */
#ifndef ENCIRCLE_H
#define ENCIRCLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these declarations. It changes when programs must be recompiled. */
#define ENCIRCLE_ABI_VERSION 1

typedef int32_t encircle_status;

/* Done. */
#define ENCIRCLE_OK 0
/* A null pointer, a length of more than PTRDIFF_MAX, a handle without rules, or a handle whose rules are loaded already. */
#define ENCIRCLE_INVALID_ARGUMENT 1
/* The rules are neither compiled by this version of Encircle nor a valid rule file. */
#define ENCIRCLE_INVALID_RULES 2
/* Not an event: not one JSON object. */
#define ENCIRCLE_INVALID_EVENT 3
/* The columns do not form a table of events, or do not have Arrow's layout. */
#define ENCIRCLE_INVALID_COLUMNS 4
/* The batch is too large for one call: split it. */
#define ENCIRCLE_TOO_LARGE 5
/* Compiled rules cannot be explained. */
#define ENCIRCLE_UNSUPPORTED 6

/* Rules in force under one version. */
typedef struct encircle_rules encircle_rules;
/* Decides events; each thread needs its own. */
typedef struct encircle_decider encircle_decider;

/* A text in UTF-8 that belongs to the handle. */
typedef struct encircle_text {
  const char *bytes;
  size_t length;
} encircle_text;

/* The Arrow C data interface: https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

/* The ENCIRCLE_ABI_VERSION of the loaded library. */
uint32_t encircle_abi_version(void);

/* The version of Encircle, such as "0.2.0". Compiled rules belong to one version. */
const char *encircle_version(void);

/* ---- Rules ---- */

/* Makes a handle without rules. */
encircle_rules *encircle_rules_create(void);

/*
 * Loads rules into a handle, only once and before other threads use it.
 *
 * bytes    the output of `encircle compile`, or a rule file in YAML or JSON, compressed with gzip or not; it is copied
 * version  the `rules_version` of decisions on columns; null is an empty text
 */
encircle_status encircle_rules_load(encircle_rules *rules, const void *bytes, size_t length, const char *version);

/* The number of rules; 0 if none are loaded. */
size_t encircle_rules_count(const encircle_rules *rules);

/* The error message of the last call with this handle; empty if it succeeded. */
encircle_text encircle_rules_last_error(const encircle_rules *rules);

/* Destroys the handle; does nothing for null. */
void encircle_rules_destroy(encircle_rules *rules);

/* ---- Deciding ---- */

/* Makes a decider; null if no rules are loaded. The time grows with the rules, so make it once and keep it. */
encircle_decider *encircle_decider_create(const encircle_rules *rules);

/*
 * Decides one event.
 *
 * event     one JSON object
 * decision  {"event_id":…,"selected":…,"rules":[…],"excluded_by":[…],"pages":[…],"emit":[…]}, as in `encircle match`
 */
encircle_status encircle_decide(encircle_decider *decider, const char *event, size_t length, encircle_text *decision);

/*
 * Decides events, one per line.
 *
 * decisions  one line for each line, with its number as "line". If the line is not an event, an "error" and its "column" take the
 *            place of the decision. A line feed ends a line; the last line may lack it.
 */
encircle_status encircle_decide_batch(
    encircle_decider *decider, const char *lines, size_t length, encircle_text *decisions);

/*
 * Decides the rows of a record batch.
 *
 * schema, array  A struct array; both are only read, and the caller still releases them. Its columns are found by name: fields of
 *                events such as `event`, `page`, `path`, `event_id`, `content`, `app_version`; `properties`, a map of texts, or
 *                `properties_json`; or `json` alone for the whole event. Other columns are ignored. Texts may be utf8,
 *                large_utf8, utf8_view, binary in the same three forms, or a dictionary of them; `time` an integer or a double in
 *                milliseconds, a timestamp, or a text as in events.
 * out_schema, out_array  Filled with a struct array of as many rows, with the columns `rules`, `emit`, `excluded_by`, `pages` (lists
 *                of utf8), `selected` (bool), `rules_version` and `error` (utf8). The caller releases them; they need no handle.
 *                If the call fails, they stay as they are, and there is nothing to release.
 *
 * If a row is not an event, its `error` has the reason; the other rows are decided. Each distinct tuple of the values that the rules
 * read is decided once, and the decision is kept for later calls.
 */
encircle_status encircle_decide_columns(
    encircle_decider *decider, const struct ArrowSchema *schema, const struct ArrowArray *array,
    struct ArrowSchema *out_schema, struct ArrowArray *out_array);

/*
 * Explains the decision on one event, rule by rule and test by test, in the JSON of `encircle explain --format json`.
 * Needs rules that were loaded from a rule file.
 */
encircle_status encircle_explain(
    encircle_decider *decider, const char *event, size_t length, encircle_text *explanation);

/* The error message of the last call with this handle; empty if it succeeded. */
encircle_text encircle_decider_last_error(const encircle_decider *decider);

/* Destroys the decider; does nothing for null. */
void encircle_decider_destroy(encircle_decider *decider);

#ifdef __cplusplus
}
#endif

#endif

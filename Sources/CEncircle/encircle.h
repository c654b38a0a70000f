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
 * Threads: rules that are loaded are immutable, and any number of threads may use them at once. A decider is used by one thread at
 * a time; each thread has its own. A decider keeps the rules that it needs, so the two are destroyed in any order. There is no
 * global state.
 *
 * Errors: a function that can fail returns a status, and the handle keeps what was wrong, in words, until its next call.
 * No input makes the library abort, and a null pointer where one is not allowed is ENCIRCLE_INVALID_ARGUMENT; only memory that
 * the system does not have ends the process.
 *
 * Texts are UTF-8. Those that the library returns have a zero byte behind them, which is not counted, belong to the handle, and are
 * valid until the next call with the same handle.
 */
#ifndef ENCIRCLE_H
#define ENCIRCLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of what is declared here. It changes when programs must be compiled anew. */
#define ENCIRCLE_ABI_VERSION 1

typedef int32_t encircle_status;

/* Done. */
#define ENCIRCLE_OK 0
/* A null pointer, a handle without rules, or a handle whose rules are loaded already. */
#define ENCIRCLE_INVALID_ARGUMENT 1
/* The rules are neither compiled by this version of Encircle nor a rule file without mistakes. */
#define ENCIRCLE_INVALID_RULES 2
/* Not an event: not one JSON object. */
#define ENCIRCLE_INVALID_EVENT 3
/* Columns that are not those of a table of events, or not laid out as Arrow demands. */
#define ENCIRCLE_INVALID_COLUMNS 4
/* More than one call may take: split the batch. */
#define ENCIRCLE_TOO_LARGE 5
/* Compiled rules cannot be explained. */
#define ENCIRCLE_UNSUPPORTED 6

/* Rules in force under one version. */
typedef struct encircle_rules encircle_rules;
/* Decides events; each thread needs its own. */
typedef struct encircle_decider encircle_decider;

/* UTF-8 of the handle's. */
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

/* The ENCIRCLE_ABI_VERSION of the library that is loaded. */
uint32_t encircle_abi_version(void);

/* The version of Encircle, such as "0.2.0", to which compiled rules belong. */
const char *encircle_version(void);

/* ---- Rules ---- */

/* Makes a handle without rules. */
encircle_rules *encircle_rules_create(void);

/*
 * Loads rules, once for a handle, before other threads use it.
 *
 * bytes    what `encircle compile` writes, or a rule file in YAML or JSON; it is copied
 * version  what decisions on columns give as their `rules_version`; null is an empty text
 */
encircle_status encircle_rules_load(encircle_rules *rules, const void *bytes, size_t length, const char *version);

/* The number of rules; 0 if none are loaded. */
size_t encircle_rules_count(const encircle_rules *rules);

/* What was wrong with the last call with this handle; empty if nothing was. */
encircle_text encircle_rules_last_error(const encircle_rules *rules);

/* Gives the handle back; null does nothing. */
void encircle_rules_destroy(encircle_rules *rules);

/* ---- Deciding ---- */

/* Makes a decider; null if no rules are loaded. Takes time in proportion to the rules, so it is made once and kept. */
encircle_decider *encircle_decider_create(const encircle_rules *rules);

/*
 * Decides one event.
 *
 * event     one JSON object
 * decision  {"event_id":…,"selected":…,"rules":[…],"excluded_by":[…],"pages":[…],"emit":[…]}, as `encircle match` has it
 */
encircle_status encircle_decide(encircle_decider *decider, const char *event, size_t length, encircle_text *decision);

/*
 * Decides events, one a line.
 *
 * decisions  one line for each line, with its number as "line"; that of a line that is no event has an "error" and its "column" in
 *            place of the decision. A line feed ends a line; the last one may lack it.
 */
encircle_status encircle_decide_batch(
    encircle_decider *decider, const char *lines, size_t length, encircle_text *decisions);

/*
 * Decides the rows of a record batch.
 *
 * schema, array  A struct array; both are only read, and stay the caller's to release. Its columns are found by name: fields of
 *                events such as `event`, `page`, `path`, `event_id`, `content`, `app_version`; `properties`, a map of texts, or
 *                `properties_json`; or `json` alone for the whole event. Others are not looked at. Texts may be utf8,
 *                large_utf8, utf8_view, or a dictionary of them; `time` an integer in milliseconds, or a timestamp.
 * out_schema, out_array  Filled, as a struct array of as many rows with the columns `rules`, `emit`, `excluded_by`, `pages` (lists
 *                of utf8), `selected` (bool), `rules_version` and `error` (utf8). The caller releases them; they need no handle.
 *
 * A row that is not an event gets the reason in `error`; the other rows are decided. Each distinct tuple of the values that the
 * rules look at is decided once, and remembered for later calls.
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

/* What was wrong with the last call with this handle; empty if nothing was. */
encircle_text encircle_decider_last_error(const encircle_decider *decider);

/* Gives the decider back; null does nothing. */
void encircle_decider_destroy(encircle_decider *decider);

#ifdef __cplusplus
}
#endif

#endif

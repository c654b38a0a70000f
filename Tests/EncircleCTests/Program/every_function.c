/*
 * Uses every function of libencircle, also with wrong arguments. Built with the address sanitizer, which also looks for leaks.
 *
 * usage: every_function RULES.json COMPILED.rules
 */
#include "encircle.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition) check((condition), #condition, __LINE__)

static void check(bool holds, const char *condition, int line) {
  if (holds) return;
  printf("line %d: %s\n", line, condition);
  failures += 1;
}

/* A copy at the end of its memory, so that a read beyond it is found. */
static char *exact(const char *bytes, size_t length) {
  char *copy = malloc(length > 0 ? length : 1);
  memcpy(copy, bytes, length);
  return copy;
}

static char *contents(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) exit(66);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*length + 1);
  if (fread(bytes, 1, *length, file) != *length) exit(66);
  fclose(file);
  return bytes;
}

static bool contains(encircle_text text, const char *part) {
  return text.bytes[text.length] == 0 && strstr(text.bytes, part) != NULL;
}

/* ---- Batches ---- */

#define MOST 8

/* A batch on the stack; nothing in it needs to be released. */
struct batch {
  struct ArrowSchema schema, columns[MOST], inner[MOST][3];
  struct ArrowArray array, values[MOST], parts[MOST][3];
  struct ArrowSchema *schemas[MOST], *inner_schemas[MOST][2];
  struct ArrowArray *arrays[MOST], *inner_arrays[MOST][2];
  const void *buffers[MOST][4], *inner_buffers[MOST][3][4], *own[1];
};

static void keep_schema(struct ArrowSchema *schema) { (void)schema; }
static void keep_array(struct ArrowArray *array) { (void)array; }

static void begin(struct batch *batch, int64_t rows) {
  memset(batch, 0, sizeof *batch);
  batch->schema = (struct ArrowSchema){.format = "+s", .name = "", .children = batch->schemas, .release = keep_schema};
  batch->array = (struct ArrowArray){
      .length = rows, .n_buffers = 1, .buffers = batch->own, .children = batch->arrays, .release = keep_array};
}

static int add(struct batch *batch, const char *name, const char *format, int buffers) {
  int i = (int)batch->schema.n_children;
  batch->columns[i] = (struct ArrowSchema){.format = format, .name = name, .flags = 2, .release = keep_schema};
  batch->values[i] = (struct ArrowArray){
      .length = batch->array.length, .null_count = -1, .n_buffers = buffers, .buffers = batch->buffers[i],
      .release = keep_array};
  batch->schemas[i] = &batch->columns[i];
  batch->arrays[i] = &batch->values[i];
  batch->schema.n_children = batch->array.n_children = i + 1;
  return i;
}


/* The text at a row of an answer's list of texts; null behind its end. */
static const char *item(const struct ArrowArray *list, int row, int number, int *length) {
  const int32_t *offsets = list->buffers[1];
  const int32_t *texts = list->children[0]->buffers[1];
  if (offsets[row] + number >= offsets[row + 1]) return NULL;
  int32_t start = texts[offsets[row] + number];
  *length = texts[offsets[row] + number + 1] - start;
  return (const char *)list->children[0]->buffers[2] + start;
}

static bool is_item(const struct ArrowArray *list, int row, int number, const char *text) {
  int length = 0;
  const char *found = item(list, row, number, &length);
  return found != NULL && length == (int)strlen(text) && memcmp(found, text, strlen(text)) == 0;
}

static bool is_text(const struct ArrowArray *texts, int row, const char *text) {
  const int32_t *offsets = texts->buffers[1];
  int length = offsets[row + 1] - offsets[row];
  return length == (int)strlen(text) && memcmp((const char *)texts->buffers[2] + offsets[row], text, strlen(text)) == 0;
}

static bool bit(const struct ArrowArray *bits, int row) { return ((const uint8_t *)bits->buffers[1])[row / 8] >> row % 8 & 1; }

/* Rows 0 to 3: a click with p = "yes", one with p = "no", another event, a click without p. */
static void expect(encircle_decider *decider, struct batch *batch, int line) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  for (int again = 0; again < 2; again++) {
    encircle_status status = encircle_decide_columns(decider, &batch->schema, &batch->array, &schema, &array);
    check(status == ENCIRCLE_OK, encircle_decider_last_error(decider).bytes, line);
    if (status != ENCIRCLE_OK) return;
    check(array.length == 4 && array.n_children == 7 && schema.n_children == 7, "seven columns, four rows", line);
    check(strcmp(schema.format, "+s") == 0 && strcmp(schema.children[6]->name, "error") == 0, "the schema", line);
    struct ArrowArray **columns = array.children;
    int length = 0;
    check(is_item(columns[0], 0, 0, "click") && is_item(columns[0], 0, 1, "yes"), "both rules of row 0", line);
    check(is_item(columns[0], 1, 0, "click") && item(columns[0], 1, 1, &length) == NULL, "the rule of row 1", line);
    check(item(columns[0], 2, 0, &length) == NULL, "no rule of row 2", line);
    check(is_item(columns[1], 0, 0, "Click") && is_item(columns[1], 0, 1, "yes"), "the names of row 0", line);
    check(is_item(columns[2], 1, 0, "not"), "what excludes row 1", line);
    check(bit(columns[4], 0) && !bit(columns[4], 1) && !bit(columns[4], 2) && bit(columns[4], 3), "selected", line);
    check(is_text(columns[5], 3, "v7") && is_text(columns[6], 3, ""), "version and error", line);
    array.release(&array);
    schema.release(&schema);
    check(array.release == NULL && schema.release == NULL, "released", line);
  }
}

static const int32_t event_offsets[] = {0, 9, 18, 23, 32};
static const char event_bytes[] = "$AppClick$AppClickOther$AppClick";

static void add_events(struct batch *batch) {
  int i = add(batch, "event", "u", 3);
  batch->buffers[i][1] = event_offsets;
  batch->buffers[i][2] = event_bytes;
}

static void add_map(struct batch *batch) {
  static const int32_t pairs[] = {0, 1, 3, 3, 3};
  static const int32_t keys[] = {0, 1, 2, 3}, values[] = {0, 3, 5, 7};
  int i = add(batch, "properties", "+m", 2);
  batch->buffers[i][1] = pairs;
  batch->columns[i].n_children = batch->values[i].n_children = 1;
  batch->inner_schemas[i][0] = &batch->inner[i][1];
  batch->inner_schemas[i][1] = &batch->inner[i][2];
  batch->inner_arrays[i][0] = &batch->parts[i][1];
  batch->inner_arrays[i][1] = &batch->parts[i][2];
  batch->inner[i][0] = (struct ArrowSchema){
      .format = "+s", .name = "entries", .n_children = 2, .children = batch->inner_schemas[i], .release = keep_schema};
  batch->parts[i][0] = (struct ArrowArray){
      .length = 3, .n_buffers = 1, .buffers = batch->inner_buffers[i][0], .n_children = 2,
      .children = batch->inner_arrays[i], .release = keep_array};
  for (int part = 1; part <= 2; part++) {
    batch->inner[i][part] = (struct ArrowSchema){.format = "u", .name = part == 1 ? "key" : "value", .release = keep_schema};
    batch->parts[i][part] = (struct ArrowArray){
        .length = 3, .n_buffers = 3, .buffers = batch->inner_buffers[i][part], .release = keep_array};
    batch->inner_buffers[i][part][1] = part == 1 ? keys : values;
    batch->inner_buffers[i][part][2] = part == 1 ? "ppq" : "yesnozz";
  }
  static struct ArrowSchema *schemas[MOST];
  static struct ArrowArray *arrays[MOST];
  schemas[i] = &batch->inner[i][0];
  arrays[i] = &batch->parts[i][0];
  batch->columns[i].children = &schemas[i];
  batch->values[i].children = &arrays[i];
}

static void decide_columns(encircle_decider *decider) {
  struct batch batch;

  /* Texts with offsets of 32 bits, and a map. */
  begin(&batch, 4);
  add_events(&batch);
  add_map(&batch);
  expect(decider, &batch, __LINE__);

  /* Columns of bytes have the same layout as columns of texts. */
  batch.columns[0].format = batch.inner[1][1].format = batch.inner[1][2].format = "z";
  expect(decider, &batch, __LINE__);

  /* Bits that say that all rows and pairs are there, where nobody has counted. */
  static const uint8_t all_there[] = {0x0F};
  batch.own[0] = batch.inner_buffers[1][0][0] = all_there;
  batch.array.null_count = batch.parts[1][0].null_count = -1;
  expect(decider, &batch, __LINE__);

  /* Offsets of 64 bits, properties in JSON, a value that is missing, and a column that nobody asks for. */
  static const int64_t long_offsets[] = {0, 9, 18, 23, 32};
  static const char json[] = "{\"p\":\"yes\"}{\"p\":\"no\"}";
  static const int32_t json_offsets[] = {0, 11, 21, 21, 21};
  static const uint8_t json_validity[] = {0x03};
  begin(&batch, 4);
  int i = add(&batch, "event", "U", 3);
  batch.buffers[i][1] = long_offsets;
  batch.buffers[i][2] = event_bytes;
  i = add(&batch, "properties_json", "u", 3);
  batch.buffers[i][0] = json_validity;
  batch.buffers[i][1] = json_offsets;
  batch.buffers[i][2] = json;
  add(&batch, "height", "g", 2);
  expect(decider, &batch, __LINE__);
  batch.columns[0].format = "Z";
  expect(decider, &batch, __LINE__);

  /* Codes of a dictionary, and an offset of the batch. */
  static const int8_t codes[] = {1, 0, 0, 1, 0};
  static const int32_t dictionary_offsets[] = {0, 9, 14};
  static const int32_t json_offsets_from_1[] = {0, 0, 11, 21, 21, 21};
  begin(&batch, 4);
  batch.array.offset = 1;
  i = add(&batch, "event", "c", 2);
  batch.values[i].length = 5;
  batch.buffers[i][1] = codes;
  batch.inner[i][0] = (struct ArrowSchema){.format = "u", .name = "", .release = keep_schema};
  batch.parts[i][0] = (struct ArrowArray){
      .length = 2, .n_buffers = 3, .buffers = batch.inner_buffers[i][0], .release = keep_array};
  batch.inner_buffers[i][0][1] = dictionary_offsets;
  batch.inner_buffers[i][0][2] = "$AppClickOther";
  batch.columns[i].dictionary = &batch.inner[i][0];
  batch.values[i].dictionary = &batch.parts[i][0];
  i = add(&batch, "properties_json", "u", 3);
  batch.values[i].length = 5;
  batch.buffers[i][1] = json_offsets_from_1;
  batch.buffers[i][2] = json;
  expect(decider, &batch, __LINE__);

  /* A dictionary of nulls, for whose length there is no memory. */
  begin(&batch, 4);
  i = add(&batch, "event", "c", 2);
  batch.buffers[i][1] = codes;
  batch.inner[i][0] = (struct ArrowSchema){.format = "n", .name = "", .release = keep_schema};
  batch.parts[i][0] = (struct ArrowArray){.length = INT64_C(1) << 40, .null_count = INT64_C(1) << 40, .release = keep_array};
  batch.columns[i].dictionary = &batch.inner[i][0];
  batch.values[i].dictionary = &batch.parts[i][0];
  struct ArrowSchema schema;
  struct ArrowArray array;
  CHECK(encircle_decide_columns(decider, &batch.schema, &batch.array, &schema, &array) == ENCIRCLE_OK);
  int length = 0;
  CHECK(array.length == 4 && item(array.children[0], 0, 0, &length) == NULL && is_text(array.children[6], 0, ""));
  array.release(&array);
  schema.release(&schema);

  /* Properties of the type of nulls, as a batch has them in which no event has any. */
  begin(&batch, 4);
  add_events(&batch);
  add(&batch, "properties", "n", 0);
  CHECK(encircle_decide_columns(decider, &batch.schema, &batch.array, &schema, &array) == ENCIRCLE_OK);
  CHECK(array.length == 4 && is_item(array.children[0], 0, 0, "click") && is_text(array.children[6], 0, ""));
  array.release(&array);
  schema.release(&schema);

  /* Whole events as views: one in its view, the others in a buffer. */
  static const char events[] =
      "{\"event\":\"$AppClick\",\"properties\":{\"p\":\"yes\"}}{\"event\":\"$AppClick\",\"properties\":{\"p\":\"no\"}}"
      "{\"event\":\"$AppClick\"}";
  uint8_t views[4][16] = {{0}};
  int32_t lengths[] = {46, 45, 2, 21}, starts[] = {0, 46, 0, 91};
  int64_t sizes[] = {sizeof events - 1};
  CHECK(lengths[0] + lengths[1] + lengths[3] == (int)sizeof events - 1);
  for (int row = 0; row < 4; row++) {
    memcpy(views[row], &lengths[row], 4);
    if (row == 2) memcpy(views[row] + 4, "{}", 2);
    else memcpy(views[row] + 12, &starts[row], 4);
  }
  begin(&batch, 4);
  i = add(&batch, "json", "vu", 4);
  batch.buffers[i][1] = views;
  batch.buffers[i][2] = events;
  batch.buffers[i][3] = sizes;
  expect(decider, &batch, __LINE__);
  batch.columns[i].format = "vz";
  expect(decider, &batch, __LINE__);

  /* A row that is no event does not keep the others from being decided. */
  static const int32_t bad_offsets[] = {0, 2, 5};
  begin(&batch, 2);
  i = add(&batch, "json", "u", 3);
  batch.buffers[i][1] = bad_offsets;
  batch.buffers[i][2] = "{}nil";
  CHECK(encircle_decide_columns(decider, &batch.schema, &batch.array, &schema, &array) == ENCIRCLE_OK);
  CHECK(is_text(array.children[6], 0, "") && !is_text(array.children[6], 1, ""));
  /* A child that is taken over outlives its parent. */
  struct ArrowArray taken = *array.children[6];
  array.children[6]->release = NULL;
  array.release(&array);
  schema.release(&schema);
  CHECK(is_text(&taken, 0, ""));
  taken.release(&taken);

  /* No rows. */
  begin(&batch, 0);
  add(&batch, "event", "u", 3);
  CHECK(encircle_decide_columns(decider, &batch.schema, &batch.array, &schema, &array) == ENCIRCLE_OK);
  CHECK(array.length == 0);
  array.release(&array);
  schema.release(&schema);
}

static void refuse_columns(encircle_decider *decider) {
  struct batch batch;
  struct ArrowSchema schema;
  struct ArrowArray array;
#define REFUSED(part)                                                                                              \
  CHECK(encircle_decide_columns(decider, &batch.schema, &batch.array, &schema, &array) == ENCIRCLE_INVALID_COLUMNS); \
  CHECK(contains(encircle_decider_last_error(decider), part))

  begin(&batch, 4);
  REFUSED("no column has the name");
  add(&batch, "event", "l", 2);
  REFUSED("a text is expected");
  begin(&batch, 4);
  add(&batch, "event", "u", 3);
  REFUSED("buffer 1 is missing");
  add_map(&batch);
  batch.columns[1].name = "event";
  REFUSED("occurs twice");
  begin(&batch, 4);
  add_events(&batch);
  batch.values[0].length = 3;
  REFUSED("has 3 rows, but the batch has 4");
  batch.values[0].length = -1;
  REFUSED("negative length");
  batch.values[0].length = 4;
  batch.values[0].release = NULL;
  REFUSED("released");
  static const int32_t disordered[] = {0, 9, 4, 23, 32}, negative[] = {-4, 9, 18, 23, 32};
  begin(&batch, 4);
  add_events(&batch);
  batch.buffers[0][1] = disordered;
  REFUSED("not in order");
  batch.buffers[0][1] = negative;
  REFUSED("not in order");
  batch.schema.format = "u";
  REFUSED("a record batch");
  batch.schema.format = NULL;
  REFUSED("a record batch");
  static const uint8_t one_missing[] = {0x0B};
  begin(&batch, 4);
  add_map(&batch);
  batch.inner_buffers[0][0][0] = one_missing;
  batch.parts[0][0].null_count = -1;
  REFUSED("a null pair");
  batch.own[0] = one_missing;
  batch.array.null_count = -1;
  REFUSED("null rows");
  begin(&batch, 4);
  add_map(&batch);
  batch.values[0].n_children = 0;
  REFUSED("a map of texts");
  /* The same decider goes on. */
  decide_columns(decider);
}

/* ---- Events ---- */

static void decide_events(encircle_decider *decider, bool has_rules) {
  static const char event[] = "{\"event\":\"$AppClick\",\"properties\":{\"p\":\"yes\"}}";
  char *json = exact(event, strlen(event));
  encircle_text text;
  CHECK(encircle_decide(decider, json, strlen(event), &text) == ENCIRCLE_OK);
  CHECK(contains(text, "{\"selected\":true,\"rules\":[\"click\",\"yes\"],\"excluded_by\":[],\"emit\":[\"Click\",\"yes\"]}"));
  CHECK(encircle_decider_last_error(decider).length == 0);
  for (size_t length = 0; length < strlen(event); length++) {
    char *part = exact(event, length);
    CHECK(encircle_decide(decider, part, length, &text) == ENCIRCLE_INVALID_EVENT);
    CHECK(encircle_decider_last_error(decider).length > 0);
    free(part);
  }
  CHECK(encircle_decide(decider, "\xff{}", 3, &text) == ENCIRCLE_INVALID_EVENT);

  static const char lines[] = "{\"event\":\"$AppClick\"}\n{\"event\":}\n\n{}";
  CHECK(encircle_decide_batch(decider, lines, strlen(lines), &text) == ENCIRCLE_OK);
  CHECK(contains(text, "{\"line\":1,\"selected\":true"));
  CHECK(contains(text, "\n{\"line\":2,\"error\":\"expected a value\",\"column\":10}\n"));
  CHECK(contains(text, "\n{\"line\":3,\"error\":"));
  CHECK(contains(text, "\n{\"line\":4,\"selected\":false"));
  CHECK(encircle_decide_batch(decider, NULL, 0, &text) == ENCIRCLE_OK && text.length == 0);

  if (has_rules) {
    CHECK(encircle_explain(decider, json, strlen(event), &text) == ENCIRCLE_OK);
    CHECK(contains(text, "\"explanations\":[{\"rule\":\"click\""));
    CHECK(encircle_explain(decider, "[", 1, &text) == ENCIRCLE_INVALID_EVENT);
    CHECK(contains(encircle_decider_last_error(decider), "1:2: "));
    CHECK(encircle_explain(decider, "\xef\xbb\xbf{}", 5, &text) == ENCIRCLE_OK);
  } else {
    CHECK(encircle_explain(decider, json, strlen(event), &text) == ENCIRCLE_UNSUPPORTED);
    CHECK(contains(encircle_decider_last_error(decider), "compiled rules"));
  }
  free(json);
}

static encircle_rules *load(const char *path) {
  size_t length;
  char *bytes = contents(path, &length);
  char *copy = exact(bytes, length);
  encircle_rules *rules = encircle_rules_create();
  CHECK(encircle_rules_count(rules) == 0);
  CHECK(encircle_decider_create(rules) == NULL);
  CHECK(encircle_rules_load(rules, copy, length / 2, "v6") == ENCIRCLE_INVALID_RULES);
  CHECK(encircle_rules_last_error(rules).length > 0);
  CHECK(encircle_rules_load(rules, copy, length, "v7") == ENCIRCLE_OK);
  CHECK(encircle_rules_last_error(rules).length == 0);
  CHECK(encircle_rules_load(rules, copy, length, "v8") == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_rules_count(rules) == 3);
  free(copy);
  free(bytes);
  return rules;
}

static void refuse_null(encircle_decider *decider) {
  encircle_text text;
  CHECK(encircle_rules_load(NULL, "", 0, NULL) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_rules_count(NULL) == 0);
  CHECK(encircle_rules_last_error(NULL).length > 0);
  encircle_rules_destroy(NULL);
  CHECK(encircle_decider_create(NULL) == NULL);
  CHECK(encircle_decide(NULL, "{}", 2, &text) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_decide(decider, NULL, 2, &text) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_decide(decider, "{}", 2, NULL) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_decide(decider, "{}", SIZE_MAX, &text) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(strstr(encircle_decider_last_error(decider).bytes, "a length of 18446744073709551615 bytes") != NULL);
  CHECK(encircle_decide_batch(NULL, "{}", 2, &text) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_explain(NULL, "{}", 2, &text) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_decide_columns(NULL, NULL, NULL, NULL, NULL) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_decide_columns(decider, NULL, NULL, NULL, NULL) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(encircle_decider_last_error(NULL).length > 0);
  encircle_decider_destroy(NULL);
  encircle_rules *rules = encircle_rules_create();
  CHECK(encircle_rules_load(rules, NULL, 0, NULL) == ENCIRCLE_INVALID_RULES);
  CHECK(encircle_rules_load(rules, NULL, 1, NULL) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(strstr(encircle_rules_last_error(rules).bytes, "a null pointer in place of rules") != NULL);
  CHECK(encircle_rules_load(rules, "{}", SIZE_MAX, NULL) == ENCIRCLE_INVALID_ARGUMENT);
  CHECK(strstr(encircle_rules_last_error(rules).bytes, "a length of 18446744073709551615 bytes") != NULL);
  CHECK(encircle_rules_load(rules, "\xff", 1, NULL) == ENCIRCLE_INVALID_RULES);
  CHECK(encircle_rules_load(rules, "rules: []", 9, NULL) == ENCIRCLE_INVALID_RULES);
  encircle_rules_destroy(rules);
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  CHECK(encircle_abi_version() == ENCIRCLE_ABI_VERSION);
  CHECK(strlen(encircle_version()) > 0);
  for (int i = 1; i < count; i++) {
    encircle_rules *rules = load(arguments[i]);
    encircle_decider *decider = encircle_decider_create(rules);
    encircle_decider *other = encircle_decider_create(rules);
    /* Deciders keep the rules. */
    encircle_rules_destroy(rules);
    decide_events(decider, i == 1);
    decide_columns(decider);
    refuse_columns(decider);
    refuse_null(decider);
    decide_events(other, i == 1);
    encircle_decider_destroy(other);
    encircle_decider_destroy(decider);
  }
  if (failures == 0) puts("every function does what encircle.h says");
  return failures > 0;
}

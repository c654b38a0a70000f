#include "cre2_shim.h"

#include <re2/re2.h>

struct encircle_re2 {
  RE2 expression;
  encircle_re2(const re2::StringPiece &pattern, const RE2::Options &options) : expression(pattern, options) {}
};

encircle_re2 *encircle_re2_compile(const char *pattern, size_t length, bool fold_case) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!fold_case);
  options.set_never_capture(true);
  return new encircle_re2(re2::StringPiece(pattern, length), options);
}

const char *encircle_re2_error(const encircle_re2 *expression) {
  return expression->expression.ok() ? nullptr : expression->expression.error().c_str();
}

size_t encircle_re2_size(const encircle_re2 *expression) {
  return expression->expression.ok() ? (size_t)expression->expression.ProgramSize() : 0;
}

bool encircle_re2_matches(const encircle_re2 *expression, const char *text, size_t length) {
  return RE2::PartialMatch(re2::StringPiece(text, length), expression->expression);
}

bool encircle_re2_find(const encircle_re2 *expression, const char *text, size_t length, size_t *start, size_t *count) {
  re2::StringPiece match;
  if (!expression->expression.Match(re2::StringPiece(text, length), 0, length, RE2::UNANCHORED, &match, 1)) return false;
  *start = match.data() == nullptr ? 0 : (size_t)(match.data() - text);
  *count = match.size();
  return true;
}

void encircle_re2_free(encircle_re2 *expression) { delete expression; }

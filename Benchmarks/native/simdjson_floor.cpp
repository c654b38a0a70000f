// The minimum cost of reading: simdjson extracts the values that most rules need from each event, and nothing is decided.
//
// usage: simdjson_floor EVENTS.ndjson EVENTS PASSES
//
// Prints one JSON object: the events and bytes read, how many events have a path, and nanoseconds of CPU time an event for each
// pass. A line that is not an event ends the program, because only files of events are compared.
#include <simdjson.h>
#include <time.h>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace ondemand = simdjson::ondemand;

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

struct Totals {
  size_t events = 0, paths = 0, bytes = 0;
};

// One pass over the lines. Texts are unescaped, because comparing them requires that.
static Totals read(ondemand::parser &parser, const simdjson::padded_string &lines, size_t limit) {
  Totals totals;
  size_t texts = 0;
  const char *next = lines.data(), *end = next + lines.size();
  while (next < end && totals.events < limit) {
    auto line_end = static_cast<const char *>(memchr(next, '\n', end - next));
    if (!line_end) line_end = end;
    size_t room = lines.data() + lines.size() + simdjson::SIMDJSON_PADDING - next;
    ondemand::document event = parser.iterate(next, line_end - next, room);
    for (auto member : event.get_object()) {
      std::string_view name = member.unescaped_key();
      if (name == "event") {
        texts += std::string_view(member.value()).size();
      } else if (name == "properties") {
        for (auto property : member.value().get_object()) {
          std::string_view name = property.unescaped_key();
          if (name == "$element_path") totals.paths++;
          if (name == "$element_path" || name == "$screen_name" || name == "$element_content" || name == "$app_version")
            texts += std::string_view(property.value()).size();
        }
      }
    }
    totals.events++;
    next = line_end + 1;
  }
  totals.bytes = next - lines.data();
  // Used, so that no compiler removes the reading.
  if (texts == 0) fputs("no texts\n", stderr);
  return totals;
}

int main(int count, char **arguments) {
  if (count != 4) {
    fputs("usage: simdjson_floor EVENTS.ndjson EVENTS PASSES\n", stderr);
    return 64;
  }
  simdjson::padded_string lines = simdjson::padded_string::load(arguments[1]);
  ondemand::parser parser;
  Totals totals = read(parser, lines, atoll(arguments[2]));
  printf("{\"events\":%zu,\"bytes\":%zu,\"paths\":%zu,\"read_ns\":[", totals.events, totals.bytes, totals.paths);
  for (int pass = 0; pass < atoi(arguments[3]); pass++) {
    double start = seconds();
    read(parser, lines, totals.events);
    printf("%s%.1f", pass ? "," : "", (seconds() - start) / totals.events * 1e9);
  }
  puts("]}");
}

/* Measures libxml2 itself: SAX2 over captures in memory, with callbacks that do nothing.
 *
 * No reader on top of libxml2's SAX2 interface can be faster than this on the same bytes, so it is
 * what Encircle's reader is held against. It calls libxml2 as a careful reader does: a memory parser
 * context, XML_PARSE_NONET, and a zeroed handler that only sets startElementNs and endElementNs.
 * The files are read before the clock starts; times are CPU time of the process; 1 MB is 10^6 bytes.
 *
 *     cc -O2 sax_baseline.c $(xml2-config --cflags --libs) -o sax_baseline
 *     ./sax_baseline -r 21 big.xml                    # every file separately
 *     ./sax_baseline -r 21 -s $(find small -type f)   # one run parses the whole set
 */
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    const char *name;
    char *bytes;
    int size; /* libxml2 counts in int */
} Capture;

static void startElement(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaceCount,
                         const xmlChar **namespaces, int attributeCount, int defaultedCount, const xmlChar **attributes) {
    (void)context, (void)name, (void)prefix, (void)uri, (void)namespaceCount, (void)namespaces, (void)attributeCount;
    (void)defaultedCount, (void)attributes;
}

static void endElement(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)context, (void)name, (void)prefix, (void)uri;
}

static void fail(const char *name, const char *reason, int status) {
    fprintf(stderr, "%s: %s\n", name, reason);
    exit(status);
}

static Capture readCapture(const char *name) {
    Capture capture = {name, NULL, 0};
    FILE *file = fopen(name, "rb");
    if (!file) fail(name, "cannot be opened", 66);
    if (fseek(file, 0, SEEK_END) != 0) fail(name, "is not a regular file", 74);
    long size = ftell(file);
    rewind(file);
    if (size <= 0 || size > INT_MAX) fail(name, "is empty or too large", 65);
    capture.size = (int)size;
    capture.bytes = malloc((size_t)size);
    if (!capture.bytes || fread(capture.bytes, 1, (size_t)size, file) != (size_t)size) fail(name, "cannot be read", 74);
    fclose(file);
    return capture;
}

static void parse(const Capture *capture) {
    xmlParserCtxtPtr context = xmlCreateMemoryParserCtxt(capture->bytes, capture->size);
    if (!context) fail(capture->name, "no parser context", 70);
    memset(context->sax, 0, sizeof *context->sax);
    context->sax->initialized = XML_SAX2_MAGIC;
    context->sax->startElementNs = startElement;
    context->sax->endElementNs = endElement;
    xmlCtxtUseOptions(context, XML_PARSE_NONET);
    xmlParseDocument(context);
    if (!context->wellFormed) fail(capture->name, "is not well-formed", 65);
    xmlFreeDoc(context->myDoc);
    xmlFreeParserCtxt(context);
}

static double cpuSeconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void measure(const char *label, const Capture *captures, int count, int runs) {
    double bytes = 0;
    for (int i = 0; i < count; i++) bytes += captures[i].size;
    double *seconds = malloc((size_t)runs * sizeof *seconds);
    if (!seconds) fail(label, "out of memory", 70);
    for (int run = 0; run < runs; run++) {
        double start = cpuSeconds();
        for (int i = 0; i < count; i++) parse(&captures[i]);
        seconds[run] = cpuSeconds() - start;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, ascending);
    double median = runs % 2 ? seconds[runs / 2] : (seconds[runs / 2 - 1] + seconds[runs / 2]) / 2;
    printf("%s: %.1f MB, %d runs: best %.1f MB/s, median %.1f MB/s\n", label, bytes / 1e6, runs, bytes / 1e6 / seconds[0],
           bytes / 1e6 / median);
    free(seconds);
}

int main(int argc, char **argv) {
    const char *usage = "usage: sax_baseline [-r RUNS] [-s] FILE...\n"
                        "  -r RUNS  runs to measure (default 11)\n"
                        "  -s       one run parses the whole set of files; otherwise every file is measured by itself\n"
                        "  -h       this text\n";
    int runs = 11, wholeSet = 0, option;
    while ((option = getopt(argc, argv, "r:sh")) != -1) {
        if (option == 'r') runs = atoi(optarg);
        else if (option == 's') wholeSet = 1;
        else if (option == 'h') return fputs(usage, stdout), 0;
        else return fputs(usage, stderr), 64;
    }
    int count = argc - optind;
    if (count < 1 || runs < 1) return fputs(usage, stderr), 64;

    xmlInitParser();
    Capture *captures = malloc((size_t)count * sizeof *captures);
    if (!captures) fail("captures", "out of memory", 70);
    for (int i = 0; i < count; i++) captures[i] = readCapture(argv[optind + i]);

    printf("libxml2 %s, SAX2, empty callbacks, CPU time\n", xmlParserVersion);
    if (wholeSet) {
        char label[64];
        snprintf(label, sizeof label, "%d files", count);
        measure(label, captures, count, runs);
    } else {
        for (int i = 0; i < count; i++) measure(captures[i].name, &captures[i], 1, runs);
    }
    for (int i = 0; i < count; i++) free(captures[i].bytes);
    free(captures);
    xmlCleanupParser();
    return 0;
}

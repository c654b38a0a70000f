// The files of the page and the API's description. A new file needs a line in each of the two lists.

#include "resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"


static const unsigned char openapi_base[] = {
#embed "openapi/base.json"
};
static const unsigned char openapi_system[] = {
#embed "openapi/system.json"
};
static const unsigned char openapi_captures[] = {
#embed "openapi/captures.json"
};
static const unsigned char openapi_selectors[] = {
#embed "openapi/selectors.json"
};
static const unsigned char openapi_rulesets[] = {
#embed "openapi/rulesets.json"
};
static const unsigned char openapi_events[] = {
#embed "openapi/events.json"
};
static const unsigned char openapi_visualized[] = {
#embed "openapi/visualized.json"
};
static const unsigned char page_index[] = {
#embed "page/index.html"
};

static const struct service_resource files[] = {
    {"openapi/base.json", openapi_base, sizeof openapi_base},
    {"openapi/system.json", openapi_system, sizeof openapi_system},
    {"openapi/captures.json", openapi_captures, sizeof openapi_captures},
    {"openapi/selectors.json", openapi_selectors, sizeof openapi_selectors},
    {"openapi/rulesets.json", openapi_rulesets, sizeof openapi_rulesets},
    {"openapi/events.json", openapi_events, sizeof openapi_events},
    {"openapi/visualized.json", openapi_visualized, sizeof openapi_visualized},
    {"page/index.html", page_index, sizeof page_index},
};
size_t service_resource_count(void) { return sizeof files / sizeof files[0]; }

const struct service_resource *service_resource_at(size_t index) { return &files[index]; }

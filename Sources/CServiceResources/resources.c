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
static const unsigned char page_app[] = {
#embed "page/app.js"
};
static const unsigned char page_base_css[] = {
#embed "page/base.css"
};
static const unsigned char page_icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char page_layout_css[] = {
#embed "page/layout.css"
};
static const unsigned char page_parts_css[] = {
#embed "page/parts.css"
};
static const unsigned char page_screen_css[] = {
#embed "page/screen.css"
};
static const unsigned char page_core_api[] = {
#embed "page/core/api.js"
};
static const unsigned char page_core_dom[] = {
#embed "page/core/dom.js"
};
static const unsigned char page_core_format[] = {
#embed "page/core/format.js"
};
static const unsigned char page_core_icons[] = {
#embed "page/core/icons.js"
};
static const unsigned char page_core_prefs[] = {
#embed "page/core/prefs.js"
};
static const unsigned char page_core_router[] = {
#embed "page/core/router.js"
};
static const unsigned char page_core_rulesets[] = {
#embed "page/core/rulesets.js"
};
static const unsigned char page_core_strings[] = {
#embed "page/core/strings.js"
};
static const unsigned char page_views_circle_panel[] = {
#embed "page/views/circle-panel.js"
};
static const unsigned char page_views_connect[] = {
#embed "page/views/connect.js"
};
static const unsigned char page_views_connection[] = {
#embed "page/views/connection.js"
};
static const unsigned char page_views_draft[] = {
#embed "page/views/draft.js"
};
static const unsigned char page_views_editor[] = {
#embed "page/views/editor.js"
};
static const unsigned char page_views_element_details[] = {
#embed "page/views/element-details.js"
};
static const unsigned char page_views_frame[] = {
#embed "page/views/frame.js"
};
static const unsigned char page_views_history[] = {
#embed "page/views/history.js"
};
static const unsigned char page_views_live[] = {
#embed "page/views/live.js"
};
static const unsigned char page_views_login[] = {
#embed "page/views/login.js"
};
static const unsigned char page_views_overview[] = {
#embed "page/views/overview.js"
};
static const unsigned char page_views_rule[] = {
#embed "page/views/rule.js"
};
static const unsigned char page_views_rules[] = {
#embed "page/views/rules.js"
};
static const unsigned char page_views_screen[] = {
#embed "page/views/screen.js"
};
static const unsigned char page_views_screens[] = {
#embed "page/views/screens.js"
};
static const unsigned char page_views_settings[] = {
#embed "page/views/settings.js"
};
static const unsigned char page_widgets_chart[] = {
#embed "page/widgets/chart.js"
};
static const unsigned char page_widgets_controls[] = {
#embed "page/widgets/controls.js"
};
static const unsigned char page_widgets_dialog[] = {
#embed "page/widgets/dialog.js"
};
static const unsigned char page_widgets_diff_view[] = {
#embed "page/widgets/diff-view.js"
};
static const unsigned char page_widgets_event_details[] = {
#embed "page/widgets/event-details.js"
};
static const unsigned char page_widgets_explanation[] = {
#embed "page/widgets/explanation.js"
};
static const unsigned char page_widgets_findings[] = {
#embed "page/widgets/findings.js"
};
static const unsigned char page_widgets_hit_index[] = {
#embed "page/widgets/hit-index.js"
};
static const unsigned char page_widgets_picture[] = {
#embed "page/widgets/picture.js"
};
static const unsigned char page_widgets_qr[] = {
#embed "page/widgets/qr.js"
};
static const unsigned char page_widgets_states[] = {
#embed "page/widgets/states.js"
};
static const unsigned char page_widgets_toast[] = {
#embed "page/widgets/toast.js"
};
static const unsigned char page_widgets_tree[] = {
#embed "page/widgets/tree.js"
};
static const unsigned char page_widgets_virtual_list[] = {
#embed "page/widgets/virtual-list.js"
};
static const unsigned char page_widgets_wireframe[] = {
#embed "page/widgets/wireframe.js"
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
    {"page/app.js", page_app, sizeof page_app},
    {"page/base.css", page_base_css, sizeof page_base_css},
    {"page/icon.svg", page_icon_svg, sizeof page_icon_svg},
    {"page/layout.css", page_layout_css, sizeof page_layout_css},
    {"page/parts.css", page_parts_css, sizeof page_parts_css},
    {"page/screen.css", page_screen_css, sizeof page_screen_css},
    {"page/core/api.js", page_core_api, sizeof page_core_api},
    {"page/core/dom.js", page_core_dom, sizeof page_core_dom},
    {"page/core/format.js", page_core_format, sizeof page_core_format},
    {"page/core/icons.js", page_core_icons, sizeof page_core_icons},
    {"page/core/prefs.js", page_core_prefs, sizeof page_core_prefs},
    {"page/core/router.js", page_core_router, sizeof page_core_router},
    {"page/core/rulesets.js", page_core_rulesets, sizeof page_core_rulesets},
    {"page/core/strings.js", page_core_strings, sizeof page_core_strings},
    {"page/views/circle-panel.js", page_views_circle_panel, sizeof page_views_circle_panel},
    {"page/views/connect.js", page_views_connect, sizeof page_views_connect},
    {"page/views/connection.js", page_views_connection, sizeof page_views_connection},
    {"page/views/draft.js", page_views_draft, sizeof page_views_draft},
    {"page/views/editor.js", page_views_editor, sizeof page_views_editor},
    {"page/views/element-details.js", page_views_element_details, sizeof page_views_element_details},
    {"page/views/frame.js", page_views_frame, sizeof page_views_frame},
    {"page/views/history.js", page_views_history, sizeof page_views_history},
    {"page/views/live.js", page_views_live, sizeof page_views_live},
    {"page/views/login.js", page_views_login, sizeof page_views_login},
    {"page/views/overview.js", page_views_overview, sizeof page_views_overview},
    {"page/views/rule.js", page_views_rule, sizeof page_views_rule},
    {"page/views/rules.js", page_views_rules, sizeof page_views_rules},
    {"page/views/screen.js", page_views_screen, sizeof page_views_screen},
    {"page/views/screens.js", page_views_screens, sizeof page_views_screens},
    {"page/views/settings.js", page_views_settings, sizeof page_views_settings},
    {"page/widgets/chart.js", page_widgets_chart, sizeof page_widgets_chart},
    {"page/widgets/controls.js", page_widgets_controls, sizeof page_widgets_controls},
    {"page/widgets/dialog.js", page_widgets_dialog, sizeof page_widgets_dialog},
    {"page/widgets/diff-view.js", page_widgets_diff_view, sizeof page_widgets_diff_view},
    {"page/widgets/event-details.js", page_widgets_event_details, sizeof page_widgets_event_details},
    {"page/widgets/explanation.js", page_widgets_explanation, sizeof page_widgets_explanation},
    {"page/widgets/findings.js", page_widgets_findings, sizeof page_widgets_findings},
    {"page/widgets/hit-index.js", page_widgets_hit_index, sizeof page_widgets_hit_index},
    {"page/widgets/picture.js", page_widgets_picture, sizeof page_widgets_picture},
    {"page/widgets/qr.js", page_widgets_qr, sizeof page_widgets_qr},
    {"page/widgets/states.js", page_widgets_states, sizeof page_widgets_states},
    {"page/widgets/toast.js", page_widgets_toast, sizeof page_widgets_toast},
    {"page/widgets/tree.js", page_widgets_tree, sizeof page_widgets_tree},
    {"page/widgets/virtual-list.js", page_widgets_virtual_list, sizeof page_widgets_virtual_list},
    {"page/widgets/wireframe.js", page_widgets_wireframe, sizeof page_widgets_wireframe},
};
size_t service_resource_count(void) { return sizeof files / sizeof files[0]; }

const struct service_resource *service_resource_at(size_t index) { return &files[index]; }

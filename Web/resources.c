// Written by Scripts/embed: not to be edited.

#include "resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "openapi/base.json"
};

static const unsigned char file_1[] = {
#embed "openapi/captures.json"
};

static const unsigned char file_2[] = {
#embed "openapi/drift.json"
};

static const unsigned char file_3[] = {
#embed "openapi/events.json"
};

static const unsigned char file_4[] = {
#embed "openapi/imports.json"
};

static const unsigned char file_5[] = {
#embed "openapi/plans.json"
};

static const unsigned char file_6[] = {
#embed "openapi/posts.json"
};

static const unsigned char file_7[] = {
#embed "openapi/rulesets.json"
};

static const unsigned char file_8[] = {
#embed "openapi/selectors.json"
};

static const unsigned char file_9[] = {
#embed "openapi/system.json"
};

static const unsigned char file_10[] = {
#embed "openapi/visualized.json"
};

static const unsigned char file_11[] = {
#embed "page/analysis.css"
};

static const unsigned char file_12[] = {
#embed "page/app.js"
};

static const unsigned char file_13[] = {
#embed "page/base.css"
};

static const unsigned char file_14[] = {
#embed "page/core/api.js"
};

static const unsigned char file_15[] = {
#embed "page/core/bidi.js"
};

static const unsigned char file_16[] = {
#embed "page/core/chosen.js"
};

static const unsigned char file_17[] = {
#embed "page/core/circled.js"
};

static const unsigned char file_18[] = {
#embed "page/core/clauses.js"
};

static const unsigned char file_19[] = {
#embed "page/core/dom.js"
};

static const unsigned char file_20[] = {
#embed "page/core/format.js"
};

static const unsigned char file_21[] = {
#embed "page/core/icons.js"
};

static const unsigned char file_22[] = {
#embed "page/core/messages.js"
};

static const unsigned char file_23[] = {
#embed "page/core/prefs.js"
};

static const unsigned char file_24[] = {
#embed "page/core/proposals.js"
};

static const unsigned char file_25[] = {
#embed "page/core/router.js"
};

static const unsigned char file_26[] = {
#embed "page/core/rule-input.js"
};

static const unsigned char file_27[] = {
#embed "page/core/rulesets.js"
};

static const unsigned char file_28[] = {
#embed "page/core/stored-elements.js"
};

static const unsigned char file_29[] = {
#embed "page/core/strings.js"
};

static const unsigned char file_30[] = {
#embed "page/core/texts/analysis.js"
};

static const unsigned char file_31[] = {
#embed "page/core/texts/circled.js"
};

static const unsigned char file_32[] = {
#embed "page/core/texts/definitions.js"
};

static const unsigned char file_33[] = {
#embed "page/core/texts/drift.js"
};

static const unsigned char file_34[] = {
#embed "page/core/texts/findings.js"
};

static const unsigned char file_35[] = {
#embed "page/core/texts/forms.js"
};

static const unsigned char file_36[] = {
#embed "page/core/texts/frame.js"
};

static const unsigned char file_37[] = {
#embed "page/core/texts/live.js"
};

static const unsigned char file_38[] = {
#embed "page/core/texts/many.js"
};

static const unsigned char file_39[] = {
#embed "page/core/texts/plan.js"
};

static const unsigned char file_40[] = {
#embed "page/core/texts/rules.js"
};

static const unsigned char file_41[] = {
#embed "page/core/texts/screens.js"
};

static const unsigned char file_42[] = {
#embed "page/core/texts/settings.js"
};

static const unsigned char file_43[] = {
#embed "page/core/unsaved.js"
};

static const unsigned char file_44[] = {
#embed "page/drift.css"
};

static const unsigned char file_45[] = {
#embed "page/icon.svg"
};

static const unsigned char file_46[] = {
#embed "page/index.html"
};

static const unsigned char file_47[] = {
#embed "page/layout.css"
};

static const unsigned char file_48[] = {
#embed "page/parts.css"
};

static const unsigned char file_49[] = {
#embed "page/screen.css"
};

static const unsigned char file_50[] = {
#embed "page/views/acceptance.js"
};

static const unsigned char file_51[] = {
#embed "page/views/analysis-question.js"
};

static const unsigned char file_52[] = {
#embed "page/views/analysis-subjects.js"
};

static const unsigned char file_53[] = {
#embed "page/views/analysis.js"
};

static const unsigned char file_54[] = {
#embed "page/views/capture-actions.js"
};

static const unsigned char file_55[] = {
#embed "page/views/changed-rules.js"
};

static const unsigned char file_56[] = {
#embed "page/views/circle-choices.js"
};

static const unsigned char file_57[] = {
#embed "page/views/circle-clauses.js"
};

static const unsigned char file_58[] = {
#embed "page/views/circle-counts.js"
};

static const unsigned char file_59[] = {
#embed "page/views/circle-form.js"
};

static const unsigned char file_60[] = {
#embed "page/views/circle-panel.js"
};

static const unsigned char file_61[] = {
#embed "page/views/circle-properties.js"
};

static const unsigned char file_62[] = {
#embed "page/views/circle-saving.js"
};

static const unsigned char file_63[] = {
#embed "page/views/circle-trial.js"
};

static const unsigned char file_64[] = {
#embed "page/views/circled-element.js"
};

static const unsigned char file_65[] = {
#embed "page/views/circled-list.js"
};

static const unsigned char file_66[] = {
#embed "page/views/connect.js"
};

static const unsigned char file_67[] = {
#embed "page/views/connection.js"
};

static const unsigned char file_68[] = {
#embed "page/views/coverage.js"
};

static const unsigned char file_69[] = {
#embed "page/views/draft.js"
};

static const unsigned char file_70[] = {
#embed "page/views/drift.js"
};

static const unsigned char file_71[] = {
#embed "page/views/editor.js"
};

static const unsigned char file_72[] = {
#embed "page/views/element-details.js"
};

static const unsigned char file_73[] = {
#embed "page/views/frame.js"
};

static const unsigned char file_74[] = {
#embed "page/views/history.js"
};

static const unsigned char file_75[] = {
#embed "page/views/live.js"
};

static const unsigned char file_76[] = {
#embed "page/views/login.js"
};

static const unsigned char file_77[] = {
#embed "page/views/many-panel.js"
};

static const unsigned char file_78[] = {
#embed "page/views/many-rules.js"
};

static const unsigned char file_79[] = {
#embed "page/views/open-picture.js"
};

static const unsigned char file_80[] = {
#embed "page/views/overview.js"
};

static const unsigned char file_81[] = {
#embed "page/views/plan-import.js"
};

static const unsigned char file_82[] = {
#embed "page/views/plan.js"
};

static const unsigned char file_83[] = {
#embed "page/views/proposal-table.js"
};

static const unsigned char file_84[] = {
#embed "page/views/releases.js"
};

static const unsigned char file_85[] = {
#embed "page/views/rule-import.js"
};

static const unsigned char file_86[] = {
#embed "page/views/rule.js"
};

static const unsigned char file_87[] = {
#embed "page/views/rules.js"
};

static const unsigned char file_88[] = {
#embed "page/views/screen.js"
};

static const unsigned char file_89[] = {
#embed "page/views/screens.js"
};

static const unsigned char file_90[] = {
#embed "page/views/settings.js"
};

static const unsigned char file_91[] = {
#embed "page/widgets/chart.js"
};

static const unsigned char file_92[] = {
#embed "page/widgets/controls.js"
};

static const unsigned char file_93[] = {
#embed "page/widgets/dialog.js"
};

static const unsigned char file_94[] = {
#embed "page/widgets/diff-view.js"
};

static const unsigned char file_95[] = {
#embed "page/widgets/event-details.js"
};

static const unsigned char file_96[] = {
#embed "page/widgets/explanation.js"
};

static const unsigned char file_97[] = {
#embed "page/widgets/findings.js"
};

static const unsigned char file_98[] = {
#embed "page/widgets/given-properties.js"
};

static const unsigned char file_99[] = {
#embed "page/widgets/hit-index.js"
};

static const unsigned char file_100[] = {
#embed "page/widgets/outline.js"
};

static const unsigned char file_101[] = {
#embed "page/widgets/period.js"
};

static const unsigned char file_102[] = {
#embed "page/widgets/picture.js"
};

static const unsigned char file_103[] = {
#embed "page/widgets/qr.js"
};

static const unsigned char file_104[] = {
#embed "page/widgets/rings.js"
};

static const unsigned char file_105[] = {
#embed "page/widgets/rule-place.js"
};

static const unsigned char file_106[] = {
#embed "page/widgets/sparkline.js"
};

static const unsigned char file_107[] = {
#embed "page/widgets/states.js"
};

static const unsigned char file_108[] = {
#embed "page/widgets/text-editor.js"
};

static const unsigned char file_109[] = {
#embed "page/widgets/toast.js"
};

static const unsigned char file_110[] = {
#embed "page/widgets/tree.js"
};

static const unsigned char file_111[] = {
#embed "page/widgets/view-head.js"
};

static const unsigned char file_112[] = {
#embed "page/widgets/virtual-list.js"
};

static const unsigned char file_113[] = {
#embed "page/widgets/wireframe.js"
};

static const unsigned char file_114[] = {
#embed "/usr/share/javascript/codemirror/lib/codemirror.css"
};

static const unsigned char file_115[] = {
#embed "/usr/share/javascript/codemirror/lib/codemirror.js"
};

static const unsigned char file_116[] = {
#embed "/usr/share/javascript/codemirror/mode/yaml/yaml.js"
};

static const unsigned char file_117[] = {
#embed "/usr/share/javascript/codemirror/addon/dialog/dialog.css"
};

static const unsigned char file_118[] = {
#embed "/usr/share/javascript/codemirror/addon/dialog/dialog.js"
};

static const unsigned char file_119[] = {
#embed "/usr/share/javascript/codemirror/addon/search/searchcursor.js"
};

static const unsigned char file_120[] = {
#embed "/usr/share/javascript/codemirror/addon/search/search.js"
};

static const struct service_resource files[] = {
    {"openapi/base.json", file_0, sizeof file_0},
    {"openapi/captures.json", file_1, sizeof file_1},
    {"openapi/drift.json", file_2, sizeof file_2},
    {"openapi/events.json", file_3, sizeof file_3},
    {"openapi/imports.json", file_4, sizeof file_4},
    {"openapi/plans.json", file_5, sizeof file_5},
    {"openapi/posts.json", file_6, sizeof file_6},
    {"openapi/rulesets.json", file_7, sizeof file_7},
    {"openapi/selectors.json", file_8, sizeof file_8},
    {"openapi/system.json", file_9, sizeof file_9},
    {"openapi/visualized.json", file_10, sizeof file_10},
    {"page/analysis.css", file_11, sizeof file_11},
    {"page/app.js", file_12, sizeof file_12},
    {"page/base.css", file_13, sizeof file_13},
    {"page/core/api.js", file_14, sizeof file_14},
    {"page/core/bidi.js", file_15, sizeof file_15},
    {"page/core/chosen.js", file_16, sizeof file_16},
    {"page/core/circled.js", file_17, sizeof file_17},
    {"page/core/clauses.js", file_18, sizeof file_18},
    {"page/core/dom.js", file_19, sizeof file_19},
    {"page/core/format.js", file_20, sizeof file_20},
    {"page/core/icons.js", file_21, sizeof file_21},
    {"page/core/messages.js", file_22, sizeof file_22},
    {"page/core/prefs.js", file_23, sizeof file_23},
    {"page/core/proposals.js", file_24, sizeof file_24},
    {"page/core/router.js", file_25, sizeof file_25},
    {"page/core/rule-input.js", file_26, sizeof file_26},
    {"page/core/rulesets.js", file_27, sizeof file_27},
    {"page/core/stored-elements.js", file_28, sizeof file_28},
    {"page/core/strings.js", file_29, sizeof file_29},
    {"page/core/texts/analysis.js", file_30, sizeof file_30},
    {"page/core/texts/circled.js", file_31, sizeof file_31},
    {"page/core/texts/definitions.js", file_32, sizeof file_32},
    {"page/core/texts/drift.js", file_33, sizeof file_33},
    {"page/core/texts/findings.js", file_34, sizeof file_34},
    {"page/core/texts/forms.js", file_35, sizeof file_35},
    {"page/core/texts/frame.js", file_36, sizeof file_36},
    {"page/core/texts/live.js", file_37, sizeof file_37},
    {"page/core/texts/many.js", file_38, sizeof file_38},
    {"page/core/texts/plan.js", file_39, sizeof file_39},
    {"page/core/texts/rules.js", file_40, sizeof file_40},
    {"page/core/texts/screens.js", file_41, sizeof file_41},
    {"page/core/texts/settings.js", file_42, sizeof file_42},
    {"page/core/unsaved.js", file_43, sizeof file_43},
    {"page/drift.css", file_44, sizeof file_44},
    {"page/icon.svg", file_45, sizeof file_45},
    {"page/index.html", file_46, sizeof file_46},
    {"page/layout.css", file_47, sizeof file_47},
    {"page/parts.css", file_48, sizeof file_48},
    {"page/screen.css", file_49, sizeof file_49},
    {"page/views/acceptance.js", file_50, sizeof file_50},
    {"page/views/analysis-question.js", file_51, sizeof file_51},
    {"page/views/analysis-subjects.js", file_52, sizeof file_52},
    {"page/views/analysis.js", file_53, sizeof file_53},
    {"page/views/capture-actions.js", file_54, sizeof file_54},
    {"page/views/changed-rules.js", file_55, sizeof file_55},
    {"page/views/circle-choices.js", file_56, sizeof file_56},
    {"page/views/circle-clauses.js", file_57, sizeof file_57},
    {"page/views/circle-counts.js", file_58, sizeof file_58},
    {"page/views/circle-form.js", file_59, sizeof file_59},
    {"page/views/circle-panel.js", file_60, sizeof file_60},
    {"page/views/circle-properties.js", file_61, sizeof file_61},
    {"page/views/circle-saving.js", file_62, sizeof file_62},
    {"page/views/circle-trial.js", file_63, sizeof file_63},
    {"page/views/circled-element.js", file_64, sizeof file_64},
    {"page/views/circled-list.js", file_65, sizeof file_65},
    {"page/views/connect.js", file_66, sizeof file_66},
    {"page/views/connection.js", file_67, sizeof file_67},
    {"page/views/coverage.js", file_68, sizeof file_68},
    {"page/views/draft.js", file_69, sizeof file_69},
    {"page/views/drift.js", file_70, sizeof file_70},
    {"page/views/editor.js", file_71, sizeof file_71},
    {"page/views/element-details.js", file_72, sizeof file_72},
    {"page/views/frame.js", file_73, sizeof file_73},
    {"page/views/history.js", file_74, sizeof file_74},
    {"page/views/live.js", file_75, sizeof file_75},
    {"page/views/login.js", file_76, sizeof file_76},
    {"page/views/many-panel.js", file_77, sizeof file_77},
    {"page/views/many-rules.js", file_78, sizeof file_78},
    {"page/views/open-picture.js", file_79, sizeof file_79},
    {"page/views/overview.js", file_80, sizeof file_80},
    {"page/views/plan-import.js", file_81, sizeof file_81},
    {"page/views/plan.js", file_82, sizeof file_82},
    {"page/views/proposal-table.js", file_83, sizeof file_83},
    {"page/views/releases.js", file_84, sizeof file_84},
    {"page/views/rule-import.js", file_85, sizeof file_85},
    {"page/views/rule.js", file_86, sizeof file_86},
    {"page/views/rules.js", file_87, sizeof file_87},
    {"page/views/screen.js", file_88, sizeof file_88},
    {"page/views/screens.js", file_89, sizeof file_89},
    {"page/views/settings.js", file_90, sizeof file_90},
    {"page/widgets/chart.js", file_91, sizeof file_91},
    {"page/widgets/controls.js", file_92, sizeof file_92},
    {"page/widgets/dialog.js", file_93, sizeof file_93},
    {"page/widgets/diff-view.js", file_94, sizeof file_94},
    {"page/widgets/event-details.js", file_95, sizeof file_95},
    {"page/widgets/explanation.js", file_96, sizeof file_96},
    {"page/widgets/findings.js", file_97, sizeof file_97},
    {"page/widgets/given-properties.js", file_98, sizeof file_98},
    {"page/widgets/hit-index.js", file_99, sizeof file_99},
    {"page/widgets/outline.js", file_100, sizeof file_100},
    {"page/widgets/period.js", file_101, sizeof file_101},
    {"page/widgets/picture.js", file_102, sizeof file_102},
    {"page/widgets/qr.js", file_103, sizeof file_103},
    {"page/widgets/rings.js", file_104, sizeof file_104},
    {"page/widgets/rule-place.js", file_105, sizeof file_105},
    {"page/widgets/sparkline.js", file_106, sizeof file_106},
    {"page/widgets/states.js", file_107, sizeof file_107},
    {"page/widgets/text-editor.js", file_108, sizeof file_108},
    {"page/widgets/toast.js", file_109, sizeof file_109},
    {"page/widgets/tree.js", file_110, sizeof file_110},
    {"page/widgets/view-head.js", file_111, sizeof file_111},
    {"page/widgets/virtual-list.js", file_112, sizeof file_112},
    {"page/widgets/wireframe.js", file_113, sizeof file_113},
    {"page/codemirror/codemirror.css", file_114, sizeof file_114},
    {"page/codemirror/codemirror.js", file_115, sizeof file_115},
    {"page/codemirror/yaml.js", file_116, sizeof file_116},
    {"page/codemirror/dialog.css", file_117, sizeof file_117},
    {"page/codemirror/dialog.js", file_118, sizeof file_118},
    {"page/codemirror/searchcursor.js", file_119, sizeof file_119},
    {"page/codemirror/search.js", file_120, sizeof file_120},
};

size_t service_resource_count(void) { return sizeof files / sizeof files[0]; }

const struct service_resource *service_resource_at(size_t index) { return &files[index]; }

// The service's messages in Chinese: one catalogue by their stable codes. In English the page shows the service's own
// text. `{0}` is an argument of the message. MessageCatalogueTests checks that every code which the sources can
// produce is here. Sentences without a code are in texts/forms.js.

import { isolated } from "./bidi.js";
import { dateTime } from "./format.js";
import { has, language, t } from "./strings.js";
import { findingForms, findingReasons, findingWords } from "./texts/findings.js";
import {
  definitionForms,
  errorForms,
  evidenceForms,
  helpForms,
  insteadForms,
  matchForms,
  problemForms,
  rowForms,
  triggerForms,
} from "./texts/forms.js";

const chinese = {
  // Errors, by `error.code`.
  error: {
    "approval-needed": "发布需要另一位同事批准：请先修改草稿并申请发布。新建或删除规则集要先关闭审批。",
    "bad-capture": "无法读取这个采集文件。",
    "bad-clause": "条件有误。",
    "bad-compression": "压缩数据已损坏。",
    "bad-definitions": "这个文件无法作为其他工具的定义读取。",
    "bad-encoding": "只支持 gzip 压缩。",
    "bad-etag": "版本标记有误。",
    "bad-events": "有事件无法使用。",
    "bad-form": "上传的表单有误。",
    "bad-http": "请求不符合 HTTP。",
    "bad-json": "这不是有效的 JSON。",
    "bad-length": "请求长度有误。",
    "bad-parameter": "参数有误。",
    "bad-query": "地址中的参数无法解读。",
    "bad-request": "请求无法解读。",
    "bad-screenshot": "截图无法使用：须为完整的 PNG 或 JPEG，且尺寸不过大。",
    "bad-selector": "选择器的写法有误。",
    "bad-table": "这个表格无法读取：须为 UTF-8 或 GB18030 的 CSV，且有认识的表头。",
    "bad-template": "命名模板有误。",
    "bad-token": "令牌无效或已过期。",
    "bad-type": "不支持此内容类型。",
    "bad-value": "有一项的值不合要求。",
    "bad-word": "词表中有不能用于规则 id 的词。",
    "broken-plan": "埋点方案有错误。",
    "broken-rules": "规则文件有错误。",
    "broken-tests": "规则测试有错误。",
    busy: "服务繁忙，请稍后再试。",
    conflict: "与当前状态冲突，请刷新后再试。",
    csrf: "会话校验失败，请重新登录。",
    damaged: "数据已损坏。",
    "duplicate-member": "有一项写了两次。",
    "duplicate-parameter": "有一个参数写了两次。",
    encrypted: "内容已加密，无法读取。",
    error: "出错了。",
    "first-token": "第一个令牌必须是发布者角色。",
    forbidden: "当前角色没有此权限。",
    "foreign-origin": "来自其他网站的请求不被接受。如果前面有代理，代理要保留 Host 请求头。",
    "header-too-large": "请求头过大。",
    "incomplete-body": "请求内容不完整。",
    internal: "服务内部出错，请查看服务日志。",
    interrupted: "请求中断，请重试。",
    invalid: "有一项不合要求。",
    "key-taken": "这个密钥已经是令牌了。",
    "last-publisher": "这是最后一个发布者令牌，请先创建另一个。",
    "method-not-allowed": "此地址不支持这种操作。",
    "more-rejects": "另有事件被拒收。",
    "maker-removed": "创建者的令牌已被删除。",
    "name-taken": "已有同名令牌。",
    needed: "默认规则集不能删除。",
    "no-capture": "没有这个采集，它可能已被删除。",
    "no-draft": "没有草稿。",
    "no-events": "内容中没有事件。",
    "no-plan": "还没有埋点方案。",
    "no-release": "方案中没有该版本的新事件。",
    "not-accepted": "该版本尚未验收。",
    "nothing-arrived": "该版本还没有按方案上报的事件。",
    "no-own-changes": "草稿中没有你的更改。",
    "no-rules": "缺少规则。",
    "no-ruleset": "没有这个规则集。",
    "no-screen": "应用还没有发来屏幕。",
    "no-such-change": "草稿中没有这项更改。",
    "no-version": "没有这个版本。",
    "not-found": "没有找到。它可能已被删除。",
    "not-submitted": "草稿没有待批准的申请，或申请后又有改动。",
    "nothing-to-explain": "缺少要解释的事件或元素。",
    "other-settings": "规则集的设置不同，这些规则在其中会命中其他事件：请存入单独的规则集。",
    "outdated-draft": "草稿基于旧版本，而现在生效的是另一版。请查看差异后再发布。",
    "precondition-required": "缺少版本标记，请刷新后再试。",
    "rule-exists": "已有同名规则。",
    "same-person": "申请人不能批准自己的申请，需要另一位同事批准。",
    "screen-changed": "应用已切换到另一个屏幕。",
    superseded: "已被同一页面的新请求取代。",
    stale: "内容已被他人修改，请刷新后再试。",
    stopping: "服务正在停止。",
    storage: "存储暂时不可用，请稍后再试。",
    "style-lacks": "此采集缺少规则集所用写法需要的信息。",
    "too-large": "内容过大。",
    "too-many": "数量已达上限。",
    "too-many-connections": "连接过多，请稍后再试。",
    "too-many-logins": "登录失败次数过多，请稍后再试。",
    "too-much-work": "计算量过大，请缩小范围。",
    "too-slow": "请求发送过慢，已中断。",
    "two-hosts": "请求有两个 Host。",
    unauthorized: "请先登录。",
    unavailable: "暂时不可用，请稍后再试。",
    "unknown-chip": "没有这个选项。",
    "unknown-member": "有一项不认识。",
    "unknown-parameter": "没有这个名称的参数。",
    "unknown-role": "这个版本不认识该令牌的角色。请删除它，再创建一个。",
    "unknown-transfer-encoding": "传输编码只支持 chunked。",
    unreachable: "连不上服务。",
    "unreadable-rules": "已发布的规则无法读取。",
    "unsupported-encoding": "不支持压缩的请求内容。",
    "wrong-host": "不接受以此域名访问。经过代理时，把页面的地址写进 --allowed-origin，或者先创建令牌。",
  },
  // Reasons why a selector may not last.
  reason: {
    anchored: "从窗口开始：途中每一层容器都不能变",
    wrappers: "经过系统私有容器，系统升级可能改变：{0}",
    layouts: "经过纯布局容器，改版可能改变：{0}",
    "only-sibling": "{0} 是父视图中唯一的同类视图，前面可能再加一个",
    "sibling-index": "{0} 依赖在同类视图中的序号，增减或移动都会使它改变",
    "exact-row": "{0} 是列表中的固定位置，列表内容可能移动",
    "unknown-row": "{0} 匹配任意行：采集没有记录它在哪一行",
    "page-position": "{0} 依赖子页面在滚动视图中的位置",
    "some-releases": "只有部分系统版本有 {0}（{1}）",
    "generated-name": "{0} 是编译器生成的类名",
    "private-control": "{0} 是系统的私有控件",
    "element-types": "用的是测试工具的元素类型，应用的事件里没有",
    "long-chain": "共 {0} 级，每一级都不能变",
    gap: "“**” 跳过任意容器，可能命中新增的同类元素",
    "broad-element": "只有 {0}，新增的同类元素也会命中",
    "plain-place": "{0} 处于到处都有的视图中，别处可能有相同位置",
    "bar-place": "只靠类名或位置与同一栏、菜单或弹窗中的其他项区分",
    "no-app-class": "没有用到应用自己的类",
    page: "只靠页面 {0} 与其他元素区分",
    text: "依赖屏幕上的文字",
    "localised-text": "依赖本地化文字，换语言后会不同",
    actions: "依赖动作名，开发者可能修改",
    "bar-identity": "依赖导航栏项的标识，其中含系统视图",
    "event-id": "依赖事件 ID，即完整且精确的路径",
    "developer-id": "依赖开发者设置的标识，并非所有 SDK 都上报",
    "resource-id": "依赖资源 ID，开发者可能修改",
    "generated-page-name": "{0} 像是工具生成的名字，下次发布就会变",
    "look-class": "{0} 描述的是样式：改版会变，别的元素也有",
    "state-class": "{0} 描述的是元素的状态，会变",
    "text-around": "依赖元素周围的文字：只有采集在此位置都有相同文字时才能判定",
  },
  // Further reasons why a proposed rule is doubtful, by `doubtful[].code`.
  doubt: {
    "selects-others": "还会命中另外 {0} 个元素",
    "misses-places": "有 {0} 处未命中",
  },
  // Descriptions of what a suggestion selects on its screen; `{0}` is a number of elements.
  summary: {
    element: "只命中此元素",
    kind: "命中任意行的此元素，此屏幕上共 {0} 个",
    shared: "命中此屏幕上 {0} 个规则无法区分的元素",
  },
  // Reasons why a rule cannot be sent to the SDK of an app.
  told: {
    disabled: "规则已停用。",
    exclude: "SDK 不支持排除规则。",
    unless: "SDK 不支持例外条件。",
    "same-kind": "SDK 不支持“同类元素”。",
    "time-limits": "SDK 不支持生效时间。",
    "too-many-elements": "涉及的元素过多。",
    "other-events": "SDK 只支持应用点击和网页点击事件。",
    "event-ids": "SDK 不识别事件 ID 和标识。",
    "other-property": "SDK 不支持对此属性的条件。",
    "no-page": "SDK 需要指定页面。",
    "excluded-page": "此页面的事件已被排除。",
    contradiction: "条件自相矛盾。",
    "web-elements": "SDK 只能按路径和网址识别网页元素。",
    "web-address": "SDK 只支持不含参数的网址。",
    "no-element": "没有指定元素。",
    "not-equal": "SDK 只支持“等于”。",
    "empty-text": "SDK 不能与空文字比较。",
    "selector-and-path": "同时有选择器和路径。",
    "other-style": "选择器用的是其他 SDK 的路径写法。",
    floating: "选择器没有从窗口开始。",
    wildcard: "选择器含通配符。",
    "open-index": "选择器没有指明是第几个。",
    several: "选择器指向多个元素。",
    texts: "选择器依赖文字，而此 SDK 的路径没有文字。",
    "android-selector": "Android SDK 只比较完整路径（where 中的 $element_path）。",
    "web-selector": "网页 SDK 只比较完整的 $element_selector。",
    "web-host": "网页 SDK 需要域名（$url: { matches: '^https?://HOST(:[0-9]+)?/' }）和路径（page 或 $url_path）。",
    "property-source": "SDK 只读取其他元素的文字；此属性在判断事件时得出。",
    "property-name": "SDK 要求属性名为字母、数字、下划线或 $，最多 100 个字符。",
    "property-place": "选择器没有指明是哪一个元素。",
    "property-expression": "此正则表达式在 SDK 中含义不同或无效。",
    "property-of-web-element": "SDK 只能读取应用自身元素的文字。",
    "property-of-system": "只有 iOS SDK 读取属性。",
  },
  // Meanings of the components of a path.
  step: {
    "bar-item": "导航栏中的 {0}：没有序号，因为各页面的栏内项位置不同",
    "child-page": "没有序号的 {0}：子页面按打开的先后加入",
    window: "窗口，序号 {0}",
    index: "在父视图的 {1} 中序号为 {0}（从 0 起）",
    row: "列表第 {0} 分区第 {1} 行的单元格（从 0 起）",
    item: "集合第 {0} 分区第 {1} 项的单元格（从 0 起）",
    position: "滚动视图中的子页面：横向第 {0} 屏、纵向第 {1} 屏（从 0 起）",
  },
  // Findings of check.
  finding: {
    "broken-rules": "规则无法载入",
    "matches-nothing": "已存屏幕上没有元素命中",
    "matches-many": "在一个屏幕上命中的元素过多",
    "other-pages": "命中了规则所述页面以外的元素",
    "shared-identity": "多个元素共用此标识",
    "reused-id": "此事件 ID 在新版本中指向另一个元素",
    "untracked-element": "命中的元素不会发送事件",
    "never-together": "各条件单独成立，但从未同时成立",
    "unreadable-property": "没有事件能得到此属性",
    "unknown-class": "没有见过的类名",
    "unknown-page": "没有见过的页面",
    "unknown-property": "没有见过的属性",
    "unknown-event": "没有见过的事件",
    "unknown-action": "没有见过的动作",
    "unknown-app": "没有见过的应用",
    "selector-notation": "选择器用了其他工具的写法",
    "unknown-value": "没有见过的值",
    "wrong-type": "值的类型不对",
    "pattern-as-text": "把模式当成了普通文字",
    contradiction: "条件自相矛盾，永远不会命中",
    "empty-version-range": "没有版本在此范围内",
    "never-selects": "命中的事件总被排除，此规则不起作用",
    "idle-exception": "此例外没有排除任何事件",
    "same-meaning": "与另一条规则含义相同",
    "covered-rule": "已被另一条规则覆盖",
    "covered-clause": "此条件已被同一规则的另一个条件覆盖",
    "nearly-covered": "几乎被另一条规则覆盖",
    "out-of-time": "已过生效时间",
    "useless-tolerance": "容差不起作用",
    "useless-same-kind": "sameKind 不起作用",
    "fragile-index": "依赖序号，容易失效",
    "private-wrapper": "经过系统私有容器，容易失效",
    "exact-row": "固定在列表的某一行，容易失效",
    "localised-text": "依赖本地化文字，换语言后失效",
    "bare-event-id": "只靠事件 ID，任何改版都会失效",
    "os-version-class": "依赖只有部分系统版本才有的类",
    "planned-without-rule": "方案中要圈选，却没有规则",
    "emitted-without-plan": "规则输出的事件不在方案中",
    "property-type": "类型与方案不符",
    "refused-name": "目标平台不接受的名称",
    "useless-suppression": "此忽略设置没有作用",
  },
  // Reasons why a rule may decide unlike the definition of another tool: `{0}` is the text in question.
  definition: {
    "person-property": "条件涉及用户属性{0}，事件中没有。",
    cohort: "条件涉及用户分群{0}，事件中没有。",
    group: "条件涉及群组或会话{0}，事件中没有。",
    expression: "有只有对方工具能计算的条件{0}。",
    "any-element": "在对方工具中，点击元素内部的任何内容也算；这里也一样。",
    "any-event": "没有指定事件名，任何事件都算，多半是误配。",
    "ignored-there": "对方只在 $autocapture 中看这一项{0}，没有作用，已略去。",
    case: "不区分大小写{0}；英文以外的字母可能有差别。",
    "wildcard-in-text": "在对方工具中，% 代表任意字符，_ 代表一个字符{0}；规则也这样处理。",
    "quote-in-text": "引号{0}在对方的事件中会截断文本，因此从未命中过。",
    "regex-in-chain": "正则表达式{0}可能超出所针对的文本。",
    "regex-refused": "正则表达式不能使用{0}。",
    cast: "在对方工具中，数字、布尔值与其文本相同{0}；这里只认规则写明的类型。",
    "date-operator": "比较日期{0}，规则不支持。",
    "null-is-set": "对方是否把空值算作已设置{0}并不确定；这里算。",
    "selector-generation": "对方工具有两代选择器{0}，解释不同；请用事件验证。",
    "matches-everything": "没有任何条件，会命中所有事件；此前的计数没有意义。",
    "unsupported-css": "选择器{0}用了规则不支持的写法。",
    "web-path": "对方的事件不带元素；这条规则针对 PostHog 网页 SDK 的事件{0}。",
    "url-grammar": "对方如何比较地址{0}，文档没有完全说明。",
    "page-missing": "所属页面{0}的地址不在文件中，或写法无法识别。",
    position: "位置{0}无法直接使用。",
    "property-extraction": "它从屏幕上读取属性{0}，规则不读取。",
    "screenshot-missing": "元素的截图已略去。",
    "native-web-joint": "它针对应用内的网页{0}，整体比较。",
    "tag-part": "路径中有开发者设置的名称{0}；不带名称的路径也算，与对方一致。",
    "cut-text": "文本在对方的事件中被截断或编码{0}，按此比较。",
    "unlimited-div": "对方会把范围扩大到其他元素{0}，文件中没有说明方式。",
    "screen-of-page": "它要求网页所在的应用屏幕{0}，网页自己的事件不一定带有屏幕名。",
    "any-row": "选择器不论事件怎样写行号都会命中；对方按写法比较路径{0}。",
    "event-type": "它统计的事件类型{0}不属于任何元素或页面。",
    lookalike: "与另一条定义命中相同的事件{0}。",
    "name-invalid": "名称{0}不能直接使用。",
    "name-taken": "已有相同 id 的定义{0}。",
    inactive: "在对方工具中已删除或停用。",
    "settings-left-out": "规则没有的设置已略去{0}。",
    "unknown-form": "写法无法识别{0}。",
    "no-events-seen": "文件中没有事件命中。",
  },
  // Alarms, by their kind: `{0}` the new version, `{1}` of `{2}` events there, `{3}` of `{4}` in version `{5}` before.
  alarm: {
    zero: "{0} 版 {2} 条事件中没有一条命中；此前 {5} 版 {4} 条中命中 {3} 条。",
    rate: "{0} 版 {2} 条事件中命中 {1} 条；此前 {5} 版 {4} 条中命中 {3} 条，命中率变化明显。",
  },
};

/** The message of an area by its code, or what the service said where it is English, or the code is unknown. */
function say(area, code, given, fallback) {
  const text = language() === "zh" ? chinese[area][code] : null;
  return text ? text.replace(/\{(\d)\}/g, (whole, number) => isolated(given[number] ?? "")) : (fallback ?? code ?? "");
}

/** An error as people read it. */
export const error = (error) => formedError(error) ?? say("error", error.code, [], error.message);
const formedError = ({ code, message }) =>
  formed(errorForms[code] ?? [], message, (value) => value.replaceAll(", ", "、"));

/**
 * The detail beneath an error that has a translation here: names, values and places in the service's own words, in
 * English.
 */
export const errorDetail = (error) =>
  language() === "zh" && chinese.error[error.code] && error.status !== 0 && formedError(error) === null
    ? error.message
    : "";

export const reason = (reason) => say("reason", reason.code, reason.arguments ?? [], reason.text);
/** Why a proposed rule is doubtful: a reason of its selector, or what it selects. */
export const doubt = (doubt) =>
  chinese.doubt[doubt.code] ? say("doubt", doubt.code, doubt.arguments ?? [], doubt.text) : reason(doubt);
export const summary = (suggestion) => say("summary", suggestion.code, [suggestion.count], suggestion.summary);
export const told = (told) => say("told", told.code, [], told.reason);
export const finding = (finding) => formedFinding(finding) ?? say("finding", finding.code, [], finding.message);
/** The sentence in English where there is only the general one of the code in Chinese. */
export const findingDetail = (finding) =>
  language() === "zh" && chinese.finding[finding.code] && formedFinding(finding) === null ? finding.message : "";

/** The meaning of a component of a path, with the page whose root view it is. */
export const step = (step) =>
  language() === "zh" && chinese.step[step.code]
    ? `${say("step", step.code, step.arguments ?? [], "")}${step.controller ? `；${step.controller} 的根视图` : ""}。`
    : step.meaning;

/** A reason about a definition from which a rule was made. */
export function definition({ code, detail, sentence }) {
  const about = detail && (formed(definitionForms[code] ?? [], detail) ?? detail);
  return say("definition", code, [about ? `（${about}）` : ""], sentence);
}

/** An alarm, and from when on it counts where that is not all events of the versions. */
export function alarm(alarm) {
  const sentence = say(
    "alarm",
    alarm.kind,
    [
      alarm.platform ? `${alarm.to_version} (${alarm.platform})` : alarm.to_version,
      alarm.after?.events,
      alarm.after?.all,
      alarm.before?.events,
      alarm.before?.all,
      alarm.from_version,
    ],
    alarm.message,
  );
  return alarm.since ? t("alarm_since", { alarm: sentence, time: dateTime(alarm.since) }) : sentence;
}

// MARK: Rules

/** The members of a clause in its summary, each with the text that has its value. */
const clauseTexts = {
  event: "clause_event",
  page: "clause_page",
  selector: "clause_at",
  eventID: "clause_at",
  identity: "clause_at",
};
const maximumSummary = 300;

const testName = (name) => (has(`test_${name}`) ? t(`test_${name}`) : name);

/** A value of a clause in a line: its texts, or the tests of its members, whose names are words of rule files. */
function clauseValue(value, nameOf = testName) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((one) => clauseValue(one)).join(" | ");
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, test]) => `${nameOf(name)} ${clauseValue(test)}`)
    .join(t("clause_and"));
}

function clauseSummary(clause) {
  if (clause === null || typeof clause !== "object") return clauseValue(clause);
  const words = Object.entries(clauseTexts)
    .filter(([key]) => key in clause)
    .map(([key, text]) => t(text, { value: clauseValue(clause[key]) }));
  if (clause.where) words.push(t("clause_where", { value: clauseValue(clause.where, (name) => name) }));
  return words.join(t("clause_between"));
}

/** The conditions of a rule, in a line: `$AppClick on CartViewController at UIButton(0)`. */
export function ruleSummary({ clauses, unless }) {
  const [taken, left] = [clauses, unless ?? []].map((list) => list.map(clauseSummary).join(t("clause_or")));
  const text = left ? t("clause_unless", { taken, left }) : taken;
  return text.length > maximumSummary ? `${text.slice(0, maximumSummary - 1)}…` : text;
}

// MARK: Forms of sentences

const sign = /[.*+?^${}()|[\]\\]/g;
/** The expressions of forms that have been used, which their sentences match. */
const expressions = new WeakMap();
function expressionsOf(forms) {
  if (!expressions.has(forms))
    expressions.set(
      forms,
      forms.map(([english, text]) => [
        new RegExp(`^${english.replace(sign, "\\$&").replace(/\\\{\d\\\}/g, "(.*?)")}$`, "s"),
        text,
      ]),
    );
  return expressions.get(forms);
}

/** A sentence in Chinese with its values, each as `valueOf` has it; `null` in English, or where no form is its. */
function formed(forms, sentence, valueOf = (value) => value) {
  if (language() !== "zh") return null;
  for (const [expression, text] of expressionsOf(forms)) {
    const found = expression.exec(sentence);
    if (found) return text.replace(/\{(\d)\}/g, (_, number) => isolated(valueOf(found[Number(number) + 1])));
  }
  return null;
}

/** Names in a list that is cut. */
const listed = (value) => value.replace(/ and (\d+) more$/, "，另有 $1 个").replace(/ and others$/, " 等");

// MARK: Findings

const formedFinding = ({ code, message }) =>
  formed(findingForms[code] ?? [], message, (value) => {
    const reasons = value.split("; ").map((part) => formed(findingReasons[code] ?? [], part));
    if (reasons.every((reason) => reason !== null)) return reasons.join("；");
    return listed(findingWords[value] ?? value).replace(/^(\d+) times$/, "$1 次");
  });

/** The text to write instead, for a finding. Quotations of the file are not translated. */
export const help = (text) => formed(helpForms, text, (instead) => formed(insteadForms, instead) ?? instead) ?? text;

// MARK: Explanations

const subjects = { page: "页面", element: "元素", event: "事件", "event ID": "事件 ID", app: "应用", time: "时间" };

// The words of conditions and of what was found, longer ones first. They stand outside of quoted values only.
const phrases = [
  [/^step (.+) does not match (.+)$/, "$1 这一级不匹配 $2"],
  [/^nothing is left of the path for step (.+)$/, "路径中没有对应 $1 的部分"],
  [/^the path does not begin there$/, "路径不是从那里开始"],
  [/^missing$/, "缺失"],
  [/^missing, but the event has properties as a text$/, "缺失，但事件的 properties 是一段文本"],
  [/^missing, but the event has (.+)$/, "缺失，但事件中有 $1"],
  [/^an object$/, "对象"],
  [/\bis a kind of /g, "是（或继承自）"],
  [/\bis one of /g, "是其中之一："],
  [/\bis a version /g, "版本为 "],
  [/\bbegins with /g, "开头是 "],
  [/\bends with /g, "结尾是 "],
  [/\bcontains /g, "包含 "],
  [/\bhas the form /g, "形如 "],
  [/\bmatches /g, "匹配 "],
  [/\bdoes not exist\b/g, "不存在"],
  [/\bexists\b/g, "存在"],
  [/, ignoring case/g, "（不分大小写）"],
  [/, or /g, "，或 "],
  [/ or later\b/g, " 及以后"],
  [/ or earlier\b/g, " 及以前"],
  [/(\dZ) to (?=\d)/g, "$1 至 "],
  [/ or unknown$/, " 或未知"],
  [/ or /g, " 或 "],
  [/ and /g, " 且 "],
  [/\bnot \(/g, "并非 ("],
  [/^is /, "是 "],
];

/** A condition, or what was found, in Chinese. Values in quotes stay as they are. */
const translated = (text) =>
  String(text)
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) =>
      index % 2 ? part : phrases.reduce((words, [pattern, chinese]) => words.replace(pattern, chinese), part),
    )
    .join("");

/** A test of an explanation, such as "page is …", in the language that is chosen. */
export function test({ subject, expected, found, passed }) {
  if (language() !== "zh") return `${subject} ${expected}${passed ? "" : `, ${t("found_value", { value: found })}`}`;
  return `${subjects[subject] ?? subject} ${translated(expected)}${passed ? "" : `，${t("found_value", { value: translated(found) })}`}`;
}

// MARK: New versions

/** The reason why an element counts as the successor of one of an older version. */
export const match = (reason) => formed(matchForms, reason.text) ?? reason.text;

// MARK: Plans

/** The reason for the status of an event of a plan. */
export const evidence = (text) =>
  text
    .split("; ")
    .map((part) => formed(evidenceForms, part, listed) ?? part)
    .join(t("evidence_and"));

/** The fault of a property in an event of the checklist. */
export const problem = (text) => formed(problemForms, text) ?? text;

/** The cause of an event. Plans may have it as it was read from a rule. */
export const trigger = (text) => formed(triggerForms, text, (value) => value.replaceAll(" or ", "、")) ?? text;

/** The reason why a row of a table is refused. */
export const rowReason = (text) =>
  formed(rowForms, text, (value) =>
    value.replace(/^(?:(.+), )?line (\d+)$/s, (_, sheet, line) => [sheet, `第 ${line} 行`].filter(Boolean).join(" ")),
  ) ?? text;

// Sentences of the service without a code, in Chinese: their forms, tried in order. `{0}` is a value
// of the sentence: a name, a text, a number. test_chinese.py sees that what the sources can say has a form.

// The parts of the evidence of an event, as PlanEvidence writes them.
export const evidenceForms = [
  ["{0} event, last {1}", "{0} 个事件，最近 {1}"],
  ["{0} events, last {1}", "{0} 个事件，最近 {1}"],
  ["not in the plan, emitted by {0}", "不在方案中，由规则 {0} 输出"],
  ["not in the plan", "不在方案中"],
  ["the plan does not have this platform", "方案中没有此平台"],
  ["the plan does not have this version", "方案中没有此版本"],
  ["archived in the plan, and still sent", "方案中已归档，仍在上报"],
  ["no event, though {0} person used the version since {1}", "没有事件，而 {1} 以来有 {0} 人使用此版本"],
  ["no event, though {0} people used the version since {1}", "没有事件，而 {1} 以来有 {0} 人使用此版本"],
  ["no event, though {0} person used the version", "没有事件，而有 {0} 人使用此版本"],
  ["no event, though {0} people used the version", "没有事件，而有 {0} 人使用此版本"],
  ["no event, though {0} shows its element", "没有事件，而 {0} 上有它的元素"],
  ["stopped, though {0} person used the version recently", "已停止上报，而近期有 {0} 人使用此版本"],
  ["stopped, though {0} people used the version recently", "已停止上报，而近期有 {0} 人使用此版本"],
  ["emitted by {0}, no event yet", "由规则 {0} 输出，尚无事件"],
  ["no rule and no event yet", "尚无规则，也无事件"],
  ["no event yet", "尚无事件"],
  ["still sent", "仍在上报"],
  ["set in the plan, not sent", "方案中已标明，未上报"],
  ["set in the plan", "方案中已标明"],
  ["{0}: missing in {1} of {2} ({3})", "{0}：{2} 个中有 {1} 个缺失（{3}）"],
  ["{0}: not among the values in {1} of {2} ({3})", "{0}：{2} 个中有 {1} 个不在取值范围内（{3}）"],
  ["{0}: does not match the pattern in {1} of {2} ({3})", "{0}：{2} 个中有 {1} 个不符合格式（{3}）"],
  ["{0}: a list in {1} of {2} ({3})", "{0}：{2} 个中有 {1} 个是列表（{3}）"],
  ["{0}: no list in {1} of {2} ({3})", "{0}：{2} 个中有 {1} 个不是列表（{3}）"],
  ["{0}: no {1} in {2} of {3} ({4})", "{0}：{3} 个中有 {2} 个不是 {1} 类型（{4}）"],
  ["{0} event", "{0} 个事件"],
  ["{0} events", "{0} 个事件"],
];

// Causes of an event, in the words of PlanTrigger.
export const triggerForms = [
  ["Tap on an element, on {0}", "点击元素（{0}）"],
  ["Tap on {0}, on {1}", "点击 {0}（{1}）"],
  ["Tap on an element", "点击元素"],
  ["Tap on {0}", "点击 {0}"],
  ["On {0}", "页面 {0}"],
  ["{0}, on {1}", "{0}（页面 {1}）"],
];

// Reasons why an element corresponds to one of a new version, in the words of ReasonText and MatchReason.
export const matchForms = [
  ["nothing on the screen has changed", "屏幕没有任何变化"],
  ["equal attributes at an equal place", "属性和位置都相同"],
  ["most of its content was found in it", "其中的内容大多仍在其中"],
  ["same text {0}", "文字相同：{0}"],
  ["same label {0}", "标签相同：{0}"],
  ["same identifier {0}", "标识相同：{0}"],
  ["same actions {0}", "动作相同：{0}"],
  ["same controller {0}", "控制器相同：{0}"],
  ["same class {0}", "类名相同：{0}"],
  ["no text", "都没有文字"],
  ["no label", "都没有标签"],
  ["no identifier", "都没有标识"],
  ["no actions", "都没有动作"],
  ["no controller", "都没有控制器"],
  ["text {0} → {1}", "文字 {0} → {1}"],
  ["label {0} → {1}", "标签 {0} → {1}"],
  ["identifier {0} → {1}", "标识 {0} → {1}"],
  ["actions {0} → {1}", "动作 {0} → {1}"],
  ["controller {0} → {1}", "控制器 {0} → {1}"],
  ["class {0} → {1}", "类名 {0} → {1}"],
  ["text {0} lost", "文字 {0} 已没有"],
  ["text {0} added", "新增文字 {0}"],
  ["label {0} lost", "标签 {0} 已没有"],
  ["label {0} added", "新增标签 {0}"],
  ["identifier {0} lost", "标识 {0} 已没有"],
  ["identifier {0} added", "新增标识 {0}"],
  ["actions {0} lost", "动作 {0} 已没有"],
  ["actions {0} added", "新增动作 {0}"],
  ["controller {0} lost", "控制器 {0} 已没有"],
  ["controller {0} added", "新增控制器 {0}"],
  ["same contents", "内容相同"],
  ["similar contents", "内容相近"],
  ["other contents", "内容不同"],
  ["same frame", "位置和大小相同"],
  ["similar frame", "位置和大小相近"],
  ["other frame", "位置和大小不同"],
  ["parent matched", "父视图对应"],
  ["ancestors matched", "上层视图对应"],
  ["parent not matched", "父视图不对应"],
  ["same path", "路径相同"],
  ["another path", "路径不同"],
  ["similar texts around", "周围文字相近"],
  ["other texts around", "周围文字不同"],
  ["similar superviews", "上层视图相近"],
  ["other superviews", "上层视图不同"],
  ["similar siblings", "同级视图相近"],
  ["other siblings", "同级视图不同"],
  ["no other comes close", "没有其他相近的元素"],
  ["others come close", "还有其他相近的元素"],
  ["subviews matched", "子视图对应"],
  ["subviews not matched", "子视图不对应"],
  ["neighbours matched", "相邻元素对应"],
  ["neighbours not matched", "相邻元素不对应"],
  ["in line with the other views", "移动与其他视图一致"],
  ["out of line with the other views", "移动与其他视图不一致"],
  ["order kept", "顺序不变"],
  ["order changed", "顺序改变"],
  ["same place", "所处位置相同"],
  ["another place", "所处位置不同"],
  ["screen much the same", "屏幕变化不大"],
  ["screen much changed", "屏幕变化很大"],
  ["to begin with", "起始值"],
];

// Faults of a property of an event, in the words of AcceptedEvent.
export const problemForms = [
  ["{0}: missing", "{0}：缺失"],
  ["{0}: no list, but {1}", "{0}：不是列表，而是 {1}"],
  ["{0}: no list", "{0}：不是列表"],
  ["{0}: no {1}, but {2}", "{0}：不是 {1} 类型，而是 {2}"],
  ["{0}: no {1}", "{0}：不是 {1} 类型"],
  ["{0}: a list: {1}", "{0}：不应是列表，却是 {1}"],
  ["{0}: a list", "{0}：不应是列表"],
  ["{0}: not among the values: {1}", "{0}：不在取值范围内：{1}"],
  ["{0}: not among the values", "{0}：不在取值范围内"],
  ["{0}: does not match the pattern: {1}", "{0}：不符合格式：{1}"],
  ["{0}: does not match the pattern", "{0}：不符合格式"],
];

// Reasons why a row of a table is refused, in the words of PlanImporter and PlanFacts.
export const rowForms = [
  ["cell {0} has no header", "第 {0} 个单元格没有表头"],
  ["the table breaks off here, after {0} of {1} cells", "表格在此中断：应有 {1} 个单元格，只有 {0} 个"],
  ["the row does not name an event", "此行没有写明事件"],
  ["the row does not name a property", "此行没有写明属性"],
  ["{0} has it already", "与{0}重复"],
  ["expected nothing, Ignore or Remove", "只能留空，或填“忽略”“移除”"],
  ["there is nothing with that name to remove", "没有这个名称，无法移除"],
  ["unknown object type '{0}': expected {1} or {2}", "没有“{0}”这种类型：应为“{1}”或“{2}”"],
  [
    "the rule '{0}' emits '{1}', too, for which this table has another name",
    "规则“{0}”也输出“{1}”，而此表中它的名称不同",
  ],
  [
    "the rule '{0}' emits '{1}', too, for which this table has another description",
    "规则“{0}”也输出“{1}”，而此表中它的说明不同",
  ],
  [
    "the rule '{0}' emits '{1}', too, for which this table has another owner",
    "规则“{0}”也输出“{1}”，而此表中它的负责人不同",
  ],
  [
    "the rule '{0}' emits '{1}', too, for which this table has another tags",
    "规则“{0}”也输出“{1}”，而此表中它的标签不同",
  ],
  ["the event is not known: a row for it must come before its properties", "没有此事件：事件的行须在其属性之前"],
  ["a quote has no end", "引号没有成对"],
  ["the first version without the event must come after its first one", "结束版本须晚于起始版本"],
  ["expected a version of the app, such as 5.2", "应为应用版本，例如 5.2"],
  [
    "'{0}' has lost its last zeros, as numbers do in spreadsheets; format the column as text",
    "“{0}”末尾的 0 丢失了：表格软件把它当成了数字，请将此列设为文本格式",
  ],
  ["the rules that emit the event are not for '{0}'", "输出此事件的规则不针对“{0}”"],
  ["unknown status '{0}'; did you mean '{1}'?", "没有“{0}”这种状态；是不是“{1}”？"],
  ["unknown status '{0}'", "没有“{0}”这种状态"],
  ["unknown platform '{0}'; did you mean '{1}'?", "没有“{0}”这个平台；是不是“{1}”？"],
  ["unknown platform '{0}'", "没有“{0}”这个平台"],
  ["unknown type '{0}'; did you mean '{1}'?", "没有“{0}”这种类型；是不是“{1}”？"],
  ["unknown type '{0}'", "没有“{0}”这种类型"],
  ["unknown answer '{0}'; did you mean '{1}'?", "“{0}”既不是“是”也不是“否”；是不是“{1}”？"],
  ["unknown answer '{0}'", "“{0}”既不是“是”也不是“否”"],
  ["unknown way of tracking '{0}'; did you mean '{1}'?", "没有“{0}”这种埋点方式；是不是“{1}”？"],
  ["unknown way of tracking '{0}'", "没有“{0}”这种埋点方式"],
  ["{0} is no {1}, which is the type of the property", "{0} 不符合此属性的类型 {1}"],
  ["a pattern is for texts, and the type of the property is {0}", "格式只用于文字，而此属性的类型是 {0}"],
  ["in the regular expression (RE2 syntax): {0}", "正则表达式（RE2 语法）有误：{0}"],
  [
    "{0}: '&{1}' is used again as '*{2}', so it cannot be changed on its own: edit the text",
    "{0}：“&{1}”又以“*{2}”引用，无法单独修改：请直接修改文本",
  ],
  [
    "{0}: this part cannot be changed on its own, because other parts depend on how it is written: edit the text",
    "{0}：其他部分依赖此处的写法，无法单独修改：请直接修改文本",
  ],
];

// Advice about a finding.
export const helpForms = [
  ["instead: {0}", "改为：{0}"],
  ["Did you mean {0}?", "是不是 {0}？"],
];

// Texts to write instead, where checks describe them in words.
export const insteadForms = [
  ["a 'selector', or no 'tolerance'", "写 selector，或去掉 tolerance"],
  ["a selector with a row, or no 'sameKind'", "写有行号的选择器，或去掉 sameKind"],
  [
    "'enabled: false' if the rule is kept for events of the past, or another 'to'",
    "规则若只为过去的事件保留，写 enabled: false；否则改 to",
  ],
  [
    "event: $AppClick for taps, or 'page' in place of the element",
    "若是点击，写 event: $AppClick；否则用 page 代替元素",
  ],
  ["event: $AppClick for taps", "若是点击，写 event: $AppClick"],
  ["a list with a selector that names {0}, too", "写成列表，再加一个含 {0} 的选择器"],
  [
    "the page's class in the selector or under 'page:', with a text or a title if all have one class",
    "在选择器中或 page: 下写页面的类；若各页面同类，再加文字或标题",
  ],
  [
    "identity: in place of eventID:, with the identity string that `encircle lookup` or `resolve` has for it",
    "用 identity: 代替 eventID:，其值由 encircle 的 lookup 或 resolve 给出",
  ],
  ["a selector instead, or a list with the text in every language of the app", "选择器，或应用各语言文字的列表"],
  [
    "where: { $element_content: … } for what the element itself says",
    "元素自身的文字写作 where: { $element_content: … }",
  ],
  ["'selector' for an element in a {0}", "{0} 中的元素用 selector"],
  [
    "{ property: … } for another property, { element: … } for the text of an element",
    "其他属性写 { property: … }，元素的文字写 { element: … }",
  ],
  ["the tests without 'any' or 'all'", "去掉 any 或 all，只留其中的条件"],
  [
    "'defaults: false' under 'pages', if this page of the system is meant",
    "如果确实是指这个系统页面，在 pages 下写 defaults: false",
  ],
  ["{0} in '{1}', if that was meant", "在“{1}”中写 {0}，如果是这个意思"],
  ["a test of its items, as in { any: … }", "比较其中各项，例如 { any: … }"],
  ["'version' with the range", "用 version 写版本范围"],
  ["a test of a text, such as 'equals' or 'in'", "对文字的比较，例如 equals 或 in"],
];

// What is wrong with a definition of another tool, in the words of the import, by the code of the reason.
export const definitionForms = {
  "unknown-form": [
    ["no id", "没有 id"],
    ["no filter", "没有 filter"],
    ["no element", "没有元素"],
    ["no page", "没有页面"],
    ["no text", "没有文字"],
    ["no selector", "没有选择器"],
    ["no url_host", "没有 url_host"],
    ["no url_path", "没有 url_path"],
    ["an empty text", "文字为空"],
    ["many conditions on elements", "元素的条件过多"],
  ],
  "settings-left-out": [["Messages to Slack", "发送到 Slack 的消息"]],
};

// Errors that are said in full, by their code: why a file cannot be read as definitions.
export const errorForms = {
  "foreign-answer": [
    [
      "The answer is not one of the service. A proxy may require a login: load the page again.",
      "收到的不是服务的回答。如果前面有代理，它可能要求先登录：请重新载入页面。",
    ],
  ],
  "bad-definitions": [
    ["the file is text in UTF-16: save it as UTF-8", "这个文件是 UTF-16 编码，请另存为 UTF-8。"],
    [
      "the file is not JSON, as definitions are; a table is imported into the plan",
      "这个文件不是 JSON，而定义须为 JSON；表格请导入埋点方案。",
    ],
    ["the tool that wrote the file is not recognized: specify one of {0}", "无法识别这个文件：它不是 {0} 的定义。"],
    [
      "the file comes from {0}, not from {1}: each tool is imported by itself",
      "这是 {0} 的文件，不是 {1} 的：各工具须分别导入。",
    ],
    [
      "the file does not come from {0}: expected an object with a list 'events'",
      "这不是 {0} 的文件：须为带有列表 events 的对象。",
    ],
    ["the file does not come from {0}: expected a list of definitions", "这不是 {0} 的文件：须为定义的列表。"],
    [
      "the file is for the app '{0}', the file before for '{1}': each app is imported into a folder of its own",
      "这个文件属于应用“{0}”，前一个属于“{1}”：各应用须导入各自的文件夹。",
    ],
    ["there are more than {0} definitions", "定义超过 {0} 个。"],
    ["ends before the value is complete", "文件不完整：值没有写完。"],
    ["expected a value", "不是 JSON：缺少值。"],
    ["expected a member's name in quotes", "不是 JSON：缺少带引号的成员名。"],
    ["expected ':' after the member's name", "不是 JSON：成员名后缺少“:”。"],
    ["expected ',' or ']' after the element", "不是 JSON：列表项后缺少“,”或“]”。"],
    ["expected ',' or '}' after the member", "不是 JSON：成员后缺少“,”或“}”。"],
    ["unknown word: expected null, true or false", "不是 JSON：不认识的词，应为 null、true 或 false。"],
    ["malformed number", "不是 JSON：数字写法有误。"],
    ["malformed escape sequence in a string", "不是 JSON：字符串中的转义有误。"],
    ["control character in a string", "不是 JSON：字符串中有控制字符。"],
    ["not valid UTF-8", "文件不是有效的 UTF-8。"],
    ["unexpected text after the value", "不是 JSON：值之后还有内容。"],
    ["nested deeper than {0} levels", "嵌套超过 {0} 层。"],
    ["longer than {0} bytes", "超过 {0} 字节。"],
    ["more than {0} values and names", "值和成员名超过 {0} 个。"],
    ["expected an object", "须为对象。"],
  ],
};

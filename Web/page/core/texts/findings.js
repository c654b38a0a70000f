// The sentences of check about a rule, in Chinese: their forms by code, tried in order. `{0}` is a value of the sentence:
// a name, a text, a number. A sentence without a form here gets the general one of its code. MessageCatalogueTests
// verifies that the findings of all documented examples have forms.

export const findingForms = {
  "matches-nothing": [
    ["the selector matches no element of the captures: {0}", "采集中没有元素符合此选择器（{0}）"],
    [
      "the selector matches no element of the captures; others of this rule do",
      "采集中没有元素符合此选择器，但符合此规则的其他选择器",
    ],
    [
      "the selector matches no element of the captures; others of this rule do: {0}",
      "采集中没有元素符合此选择器，但符合此规则的其他选择器（{0}）",
    ],
    ["the selector matches no element of the captures", "采集中没有元素符合此选择器"],
    [
      "the event ID matches no element of the captures; others of this rule do",
      "采集中没有元素有此事件 ID，但符合此规则的其他条件",
    ],
    ["the event ID matches no element of the captures", "采集中没有元素有此事件 ID"],
    [
      "the selector matches only elements of other pages than the rule asks for: {0}",
      "选择器只命中其他页面的元素：{0}",
    ],
    ["the selector matches only elements whose page the captures do not name", "选择器只命中采集未注明页面的元素"],
  ],
  "matches-many": [
    ["the rule matches {0} elements of {1}, more than {2}", "此规则在 {1} 中命中 {0} 个元素，超过 {2} 个"],
  ],
  "other-pages": [
    [
      "the rule is named after {0}, but the selector also matches elements of other pages: {1}",
      "规则说的是 {0}，而选择器还命中其他页面的元素：{1}",
    ],
  ],
  "shared-identity": [["{0} elements of {1} have this identity: {2}", "{1} 中有 {0} 个元素共用此标识"]],
  "reused-id": [
    [
      "in version {0} the event ID means another element, {1}; in {2} it was {3}, which is gone there",
      "在 {0} 版中，此事件 ID 指的是另一个元素 {1}；在 {2} 版中是 {3}，而它在 {0} 版中已不存在",
    ],
    [
      "in version {0} the event ID means another element, {1}; in {2} it was {3}, which is element {4} there",
      "在 {0} 版中，此事件 ID 指的是另一个元素 {1}；在 {2} 版中是 {3}，即 {0} 版中的 {4} 号元素",
    ],
  ],
  "untracked-element": [
    [
      "no SDK sends events for {0}; a tap on it is one on the {1} around it",
      "SDK 不上报 {0} 的事件；点它算作点外层的 {1}",
    ],
    ["no SDK sends events for {0}", "SDK 不上报 {0} 的事件"],
  ],
  "never-together": [
    [
      "no event names an element in a {0}: a tap there is one on the {1} itself or on an element around it",
      "没有事件以 {0} 中的元素为准：点那里算作点 {0} 本身或外层的元素",
    ],
    [
      "the only element that the rule matches in the captures is not within a {0} with texts",
      "此规则在采集中命中的唯一元素不在带文字的 {0} 中",
    ],
    [
      "none of the {0} elements that the rule matches in the captures is within a {1} with texts",
      "此规则在采集中命中的 {0} 个元素都不在带文字的 {1} 中",
    ],
    ["no element of the captures is within a {0} with texts", "采集中没有元素在带文字的 {0} 中"],
    [
      "{0} is not an event of an element, so no selector or event ID matches it",
      "{0} 不是元素的事件，选择器和事件 ID 都不会命中它",
    ],
    ["{0} is not an event of an element, so it never has {1}", "{0} 不是元素的事件，因此不会有 {1}"],
    ["the selector and {0} each occur, but never together", "选择器和 {0} 各自都出现过，但从未同时出现"],
    ["the event ID and {0} each occur, but never together", "事件 ID 和 {0} 各自都出现过，但从未同时出现"],
    ["the page {0} and {1} each occur, but never together", "页面 {0} 和 {1} 各自都出现过，但从未同时出现"],
    ["the event {0} and {1} each occur, but never together", "事件 {0} 和 {1} 各自都出现过，但从未同时出现"],
  ],
  "unreadable-property": [
    ["no event has a property {0}", "没有事件带有属性 {0}"],
    [
      "events of pages and of the app have no element from which {0} is read",
      "页面和 App 的事件没有元素，无从读取 {0}",
    ],
    [
      "none of the {0} elements that the rule matches in the captures gets {1}, {2}: {3}",
      "此规则在采集中命中的 {0} 个元素都得不到 {1}",
    ],
    [
      "the only element that the rule matches in the captures does not get {0}, {1}: {2}",
      "此规则在采集中命中的唯一元素得不到 {0}",
    ],
  ],
  "unknown-class": [
    ["{0} has full-width signs, which no class has", "{0} 中有全角字符，类名中不会有"],
    [
      "paths of style {0} have classes with their packages; only a test with ':' knows {1}",
      "{0} 写法的路径中，类名带有包名；只有以“:”开头的写法认得 {1}",
    ],
    ["no class {0} is known in captures, rules or the system", "采集、规则和系统中都没有类 {0}"],
    ["no class {0} is known in captures or the system", "采集和系统中都没有类 {0}"],
    ["no class {0} is known", "没有见过类 {0}"],
    ["no known class has the form {0}: '*' alone stands for any characters", "没有类名形如 {0}：只有“*”代表任意字符"],
    ["no known class has the form {0}", "没有类名形如 {0}"],
  ],
  "unknown-page": [
    [
      "{0} is a class of views, and a page is a class of view controllers: this excludes nothing",
      "{0} 是视图的类，而页面是视图控制器的类：这里什么也没有排除",
    ],
    ["{0} is a class of views, and a page is a class of view controllers", "{0} 是视图的类，而页面是视图控制器的类"],
    ["no page {0} is known, so this excludes nothing", "没有见过页面 {0}，这里什么也没有排除"],
    ["no page {0} is known", "没有见过页面 {0}"],
  ],
  "unknown-app": [["no capture or event is of the app {0}, but of {1}", "没有应用 {0} 的采集或事件，只有 {1} 的"]],
  "unknown-property": [
    [
      "no event has anything at {0}, which is a place from the root of an event; a name without '/' is one of its properties",
      "没有事件在 {0} 处有值：带“/”的是从事件的根起的位置，不带“/”的才是属性名",
    ],
    [
      "no event has the property {0}, in which the field '{1}' is expected",
      "没有事件带有属性 {0}，而字段“{1}”要从中读取",
    ],
    ["no event has a property {0}", "没有事件带有属性 {0}"],
    ["no SDK is known to send a property {0}", "没有 SDK 上报属性 {0}"],
  ],
  "unknown-event": [
    ["no event {0} is among the events", "事件中没有 {0}"],
    ["no event {0} is known", "没有见过事件 {0}"],
  ],
  "unknown-action": [["no control of the captures has the action {0}", "采集中没有控件的动作是 {0}"]],
  "selector-notation": [
    [
      "the steps in the path of an identity are separated by '_', as SDKs hash it",
      "标识的路径各级之间用“_”分隔，SDK 以此计算事件 ID",
    ],
    ["steps of a selector are separated by '/', not by '{0}'", "选择器各级之间用“/”分隔，而不是“{0}”"],
    [
      "indexes are written in parentheses; other SDKs write them in brackets",
      "序号写在圆括号中；方括号是其他 SDK 的写法",
    ],
  ],
  "unknown-value": [
    [
      '{0} never matches "{1}", which ties it to an end of the text; without that it matches "{2}"',
      "{0} 不会匹配“{1}”，它要求位于文字的一端；去掉这一要求后可匹配“{2}”",
    ],
    [
      `{0} never has the form "{1}", which without '*' is one text; "{2}" contains it`,
      "{0} 不会形如“{1}”，没有“*”就只是一段文字；“{2}”包含它",
    ],
    ['{0} is compared with "{1}" as it stands, and in {2} it is {3}', "{0} 与“{1}”逐字比较，而在{2}中它是 {3}"],
    ["{0} is a pre-release of {1}; a range of versions is {2}", "{0} 是 {1} 的预发布版本；版本范围应写作 {2}"],
    [
      '{0} never matches "{1}": an expression has no slashes around it; without them it matches "{2}"',
      "{0} 不会匹配“{1}”：正则表达式两端不写斜杠，去掉后可匹配“{2}”",
    ],
    [
      '{0} never matches "{1}", in which brackets make a group; with a backslash in front of each it matches "{2}"',
      "{0} 不会匹配“{1}”，其中的括号是分组；每个括号前加反斜杠后可匹配“{2}”",
    ],
    [
      `{0} never has the form "{1}", in which '?' is a question mark; '*' stands for any characters, as in "{2}"`,
      "{0} 不会形如“{1}”，其中“?”就是问号；“*”代表任意字符，例如“{2}”",
    ],
    [
      'the rules of this file are for events of {0}, so {1} is never "{2}" where they apply',
      "此文件的规则只针对 {0} 的事件，因此 {1} 不会是“{2}”",
    ],
    ['{0} is never "{1}" in {2}; "{3}" occurs {4}', "在{2}中，{0} 从来不是“{1}”；有“{3}”（{4}）"],
    ['{0} never begins with "{1}" in {2}; "{3}" occurs {4}', "在{2}中，{0} 的开头从来不是“{1}”；有“{3}”（{4}）"],
    ['{0} never ends with "{1}" in {2}; "{3}" occurs {4}', "在{2}中，{0} 的结尾从来不是“{1}”；有“{3}”（{4}）"],
    ['{0} never contains "{1}" in {2}; "{3}" occurs {4}', "在{2}中，{0} 从来不含“{1}”；有“{3}”（{4}）"],
    ['{0} never has the form "{1}" in {2}; "{3}" occurs {4}', "在{2}中，{0} 从来不形如“{1}”；有“{3}”（{4}）"],
    ['{0} is never "{1}" in {2}, but {3}', "在{2}中，{0} 从来不是“{1}”，而是 {3}"],
    ['{0} never begins with "{1}" in {2}, but {3}', "在{2}中，{0} 的开头从来不是“{1}”，而是 {3}"],
    ['{0} never ends with "{1}" in {2}, but {3}', "在{2}中，{0} 的结尾从来不是“{1}”，而是 {3}"],
    ['{0} never contains "{1}" in {2}, but {3}', "在{2}中，{0} 从来不含“{1}”，而是 {3}"],
    ['{0} never has the form "{1}" in {2}, but {3}', "在{2}中，{0} 从来不形如“{1}”，而是 {3}"],
  ],
  "wrong-type": [
    [
      "{0} is never a list in {1}, so no test of its items holds",
      "在{1}中，{0} 从来不是列表，对其中各项的条件不会成立",
    ],
    ["{0} is never a list, so no test of its items holds", "{0} 从来不是列表，对其中各项的条件不会成立"],
    ['{0} is never a version in {1}, but a text such as "{2}"', "在{1}中，{0} 从来不是版本号，而是“{2}”这样的文字"],
    ["{0} is in milliseconds, and {1} is a time in seconds", "{0} 以毫秒为单位，而 {1} 是以秒为单位的时间"],
    ["{0} is always true or false, and a text equals neither", "{0} 只有真和假，不会等于文字"],
    ["{0} is always {1} in {2}, {3}", "在{2}中，{0} 总是{1}，此条件不会成立"],
    ["{0} is always {1}, {2}", "{0} 总是{1}，此条件不会成立"],
    [
      "{0} is a number in {1} of {2} cases in {3}, and never this text",
      "在{3}的 {2} 次中，{0} 有 {1} 次是数字，从来不是此文字",
    ],
    ["{0} is a number in {1} of {2} cases, and never this text", "{2} 次中，{0} 有 {1} 次是数字，从来不是此文字"],
  ],
  "pattern-as-text": [
    ['the property is the text "{0}" itself, not what an element says', "属性值就是“{0}”这几个字，而不是元素的文字"],
    ['the property is the text "{0}" itself: there are no templates', "属性值就是“{0}”这几个字：没有模板"],
    [
      'the property is the text "{0}" itself, not another property of the event',
      "属性值就是“{0}”这几个字，而不是事件的另一个属性",
    ],
    [
      `'{0}' compares "{1}" as it stands, and has no signs of patterns; without them it is found in "{2}"`,
      "“{0}”逐字比较“{1}”，没有表示模式的符号；去掉这些符号后可在“{2}”中找到",
    ],
    [
      `{0} is compared with the text "{1}", which is also the name of a value under 'define'`,
      "{0} 与文字“{1}”比较，而 define 下也有同名的值",
    ],
    ['{0} is compared with all of "{1}", not with each of its parts', "{0} 与“{1}”整体比较，而不是与其中每一项"],
    [
      '{0} is compared with "{1}" as it stands: a pattern or a comparison is a test of its own',
      "{0} 与“{1}”逐字比较：模式和大小比较要另写成条件",
    ],
  ],
  contradiction: [
    ["'unless' takes away every event that the clause takes", "例外条件排除了此条件命中的所有事件"],
    ["no value {0}", "没有值能满足：{0}"],
    ["no event meets all that the clause asks", "没有事件能同时满足此条件的全部要求"],
  ],
  "empty-version-range": [["no version is {0}", "没有版本在 {0} 范围内"]],
  "never-selects": [
    ["the rule can never select: {0} exclude all that it matches", "此规则不会命中任何事件：{0} 排除了它的全部"],
    ["the rule can never select: {0} excludes all that it matches", "此规则不会命中任何事件：{0} 排除了它的全部"],
  ],
  "idle-exception": [
    ["no event that the rule matches passes the tests of the exception", "规则命中的事件都不符合此例外"],
    [
      "the exception holds for elements and events that were given, but for none that the rule matches",
      "已有的元素和事件中有符合此例外的，但都不是规则命中的",
    ],
  ],
  "same-meaning": [
    ["'{0}' takes the same events, as {1} rather than {2}", "“{0}”命中同样的事件，但事件名是 {1} 而不是 {2}"],
    ["'{0}' takes the same events", "“{0}”命中同样的事件"],
  ],
  "covered-rule": [
    [
      "'{0}' matches every event that this rule matches, as {1} rather than {2}",
      "“{0}”命中此规则的全部事件，但事件名是 {1} 而不是 {2}",
    ],
    ["'{0}' matches every event that this rule matches", "“{0}”命中此规则的全部事件"],
  ],
  "covered-clause": [
    [
      "another clause of the rule matches every event that this one matches",
      "同一规则的另一个条件命中此条件的全部事件",
    ],
    [
      "other clauses of the rule together match every event that this one matches",
      "同一规则的其他条件合起来命中此条件的全部事件",
    ],
    ["{0} matches every path that this selector matches", "{0} 命中此选择器的全部路径"],
    ["{0} together match every path that this selector matches", "{0} 合起来命中此选择器的全部路径"],
  ],
  "nearly-covered": [
    [
      "'{0}' excludes nearly all that this rule matches; {1} leaves out a little",
      "“{0}”排除了此规则的几乎全部事件，{1} 只漏掉一点",
    ],
    [
      "'{0}' matches nearly all that this rule matches; {1} leaves out a little",
      "“{0}”命中此规则的几乎全部事件，{1} 只漏掉一点",
    ],
  ],
  "out-of-time": [
    ["the rule's time ended less than a day ago", "规则的生效时间在不到一天前已经结束"],
    ["the rule's time ended {0} day ago", "规则的生效时间在 {0} 天前已经结束"],
    ["the rule's time ended {0} days ago", "规则的生效时间在 {0} 天前已经结束"],
    ["the rule's time begins in less than a day", "规则在不到一天后生效"],
    ["the rule's time begins in {0} day", "规则在 {0} 天后才生效"],
    ["the rule's time begins in {0} days", "规则在 {0} 天后才生效"],
    [
      "{0} is a time in seconds, and in milliseconds one of January to April 1970",
      "{0} 是以秒为单位的时间，按毫秒算则在 1970 年初",
    ],
  ],
  "useless-tolerance": [["the rule names no element that a new version could move", "规则没有指明会随版本移动的元素"]],
  "useless-same-kind": [
    [
      "no selector has a row, item or section in its innermost cell to free",
      "没有选择器在最内层单元格里写明可以放开的行、项或分区",
    ],
  ],
  "private-wrapper": [
    [
      "the selector goes through private containers, which change with the system: {0}, from the window on",
      "选择器从窗口开始，经过会随系统变化的私有容器：{0}",
    ],
  ],
  "os-version-class": [
    ["only {0} has {1}, {2}", "只有 {0} 有 {1}，{2}"],
    ["only {0} had {1}, {2}", "只有 {0} 有过 {1}，{2}"],
    ["only {0} has {1}", "只有 {0} 有 {1}"],
    ["only {0} had {1}", "只有 {0} 有过 {1}"],
  ],
  "exact-row": [
    [
      "{0} is one row of a list that has {1} more, whose content may move",
      "{0} 是列表中的一行，另外还有 {1} 行，内容可能移动",
    ],
  ],
  "fragile-index": [
    [
      "{0} is a slot of a UIPageViewController, which re-uses its three: indexx and indexy name no page",
      "{0} 是 UIPageViewController 反复使用的三个位置之一：indexx 和 indexy 不代表哪一页",
    ],
    [
      "index {0} among siblings of class {1}: adding or moving one shifts it; in {2} {3} takes the same",
      "在同类视图 {1} 中的序号为 {0}，增减或移动都会使它改变；在 {2} 中，{3} 命中同样的元素",
    ],
    [
      "{0} is the only {1} in its superview: another may come before it; in {2} {3} takes the same",
      "{0} 是父视图中唯一的 {1}，前面可能再加一个；在 {2} 中，{3} 命中同样的元素",
    ],
  ],
  "localised-text": [
    ['the identity holds the text "{0}", which is another in other languages', "标识中有文字“{0}”，换语言后会不同"],
    ['{0} is tested for "{1}", which is another text in other languages', "条件是 {0} 为“{1}”，换语言后会不同"],
  ],
  "planned-without-rule": [
    [
      "'{0}' is planned as circled, but no rule emits it: the rule '{1}' is not enabled",
      "“{0}”应当圈选，但输出它的规则“{1}”已停用",
    ],
    ["'{0}' is planned as circled, but no rule emits it", "“{0}”应当圈选，但没有规则输出它"],
  ],
  "emitted-without-plan": [["emits '{0}', which the plan does not mention", "输出“{0}”，埋点方案中没有它"]],
  "property-type": [["'{0}' is tested as {1}, but planned as {2}", "“{0}”按{1}来比较，方案中却是{2}"]],
  "refused-name": [["{0} refuses '{1}': {2}", "{0} 不接受“{1}”：{2}"]],
  "useless-suppression": [
    ["the comment silences nothing: there is no finding {0} here", "此注释没有作用：这里没有 {0} 问题"],
    ["unknown finding '{0}'; did you mean '{1}'?", "没有名为“{0}”的问题；是不是“{1}”？"],
    ["unknown finding '{0}'", "没有名为“{0}”的问题"],
  ],
  "bare-event-id": [
    [
      "the event ID stands alone: nobody can read it, and no tool can repair it",
      "只有事件 ID：没有人看得出它是什么，也没有工具能修复它",
    ],
  ],
};

/** Sentences that are values of other sentences, by the code of the finding. */
export const findingReasons = {
  // Faults of a selector, in the words of SelectorLoosener.
  "matches-nothing": [
    ["of it, only {0} matches", "只有其中的 {0} 匹配"],
    ["there is no {0} there, but {1}", "那里没有 {0}，但有 {1}"],
    ["there is no {0}, but {1}", "没有 {0}，但有 {1}"],
    ["there is no {0} in {1}", "{1} 中没有 {0}"],
    ["there is no {0} around {1}", "{1} 外层没有 {0}"],
    ["there are only the {0} numbers {1} of {2}", "{2} 的 {0} 只有 {1}"],
    ["there are other views between {0} and {1}, which ** stands for", "{0} 与 {1} 之间还有其他视图，可用 ** 代表"],
    ["{0} alone does not stand for its subclasses, such as {1}, as :{2} does", "{0} 不含子类（如 {1}），:{2} 才含"],
    ["{0} is the only {1} of {2}", "{2} 的 {1} 只有 {0}"],
    ["{0} is the last {1}, counted from 0, of {2}", "{2} 的 {1} 最大是 {0}（从 0 起）"],
    ["{0} is not the window, with which a path begins after /", "{0} 不是窗口，而“/”之后的路径从窗口开始"],
    ["{0} has full-width signs", "{0} 中有全角字符"],
    ["{0} has no locator", "{0} 不带序号或位置"],
    ["{0} has a section and a row rather than an index", "{0} 带的是分区和行，不是序号"],
    ["{0} has a section and an item rather than an index", "{0} 带的是分区和项，不是序号"],
    ["{0} has an item rather than a row", "{0} 带的是项，不是行"],
    ["{0} has a row rather than an item", "{0} 带的是行，不是项"],
    ["{0} has an index rather than a section and a row", "{0} 带的是序号，不是分区和行"],
    ["{0} has other names or another place", "{0} 的名称或位置不同"],
    ["{0} has other texts", "{0} 的文字不同"],
    ["the style {0} has no brackets as in {1}", "{0} 写法没有 {1} 这样的方括号"],
    ["steps of selectors are joined by / rather than _", "选择器各级之间用“/”，不是“_”"],
  ],
  "refused-name": [
    ["the word is reserved", "这是保留字"],
    ["names that begin with '{0}' are reserved", "以“{0}”开头的名称是保留的"],
    ["at most {0} bytes", "最多 {0} 个字节"],
    ["at most {0} characters", "最多 {0} 个字符"],
    ["it is empty", "名称为空"],
    ["white space at its ends", "首尾有空白"],
    ["control characters", "含有控制字符"],
    ["a digit at its beginning", "以数字开头"],
    ["characters other than letters, digits and _ or $", "含有字母、数字、_ 和 $ 以外的字符"],
    ["characters other than letters, digits and _", "含有字母、数字和 _ 以外的字符"],
  ],
};

/** Words that stand where sentences have values. */
export const findingWords = {
  "the captures": "采集",
  "the events": "事件",
  "the captures and events": "采集和事件",
  "a list": "列表",
  "a text": "文字",
  "a number": "数字",
  "true or false": "真或假",
  once: "1 次",
  "no page": "没有页面",
};

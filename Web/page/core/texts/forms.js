// Sentences of the service without a code, in Chinese: their forms, in the order in which they are tried. `{0}` is a value
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
  ["stopped, though {0} person used the version of late", "已停止上报，而近期有 {0} 人使用此版本"],
  ["stopped, though {0} people used the version of late", "已停止上报，而近期有 {0} 人使用此版本"],
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

// What causes an event, as PlanTrigger reads it from a rule.
export const triggerForms = [
  ["Tap on an element, on {0}", "点击元素（{0}）"],
  ["Tap on {0}, on {1}", "点击 {0}（{1}）"],
  ["Tap on an element", "点击元素"],
  ["Tap on {0}", "点击 {0}"],
  ["On {0}", "{0}"],
  ["{0}, on {1}", "{0}（{1}）"],
];

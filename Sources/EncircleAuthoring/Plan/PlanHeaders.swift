import EncircleRuleFiles

/// The headers and words of a table: Encircle's in two languages, and the ones of tools that import such tables.
public enum PlanHeaders: String, CaseIterable, Sendable {
  case en, zh, amplitude, segment, sensors

  /// The headers, in their order.
  var headers: [PlanHeader] {
    switch self {
    case .en: Self.english
    case .zh: Self.chinese
    case .amplitude: Self.ofAmplitude
    case .segment: Self.ofSegment
    case .sensors: Self.ofSensors
    }
  }

  private static let both: [PlanColumn: (event: PlanColumn?, property: PlanColumn?)] = [
    .action: (.action, .action), .objectType: (.objectType, .objectType), .event: (.event, .event),
    .remark: (.remark, .propertyRemark),
  ]

  private static let english: [PlanHeader] = PlanColumn.allCases.filter { $0 != .propertyRemark }.map { column in
    guard let shared = both[column] else { return PlanHeader(column.rawValue, column) }
    return PlanHeader(column.rawValue, event: shared.event, property: shared.property)
  }

  private static let chinese: [PlanHeader] = {
    let texts: [PlanColumn: String] = [
      .action: "操作", .objectType: "类型", .event: "事件英文变量名", .name: "事件显示名", .rules: "规则 ID", .description: "事件说明",
      .trigger: "触发时机", .category: "所属模块", .tags: "标签", .owner: "负责人", .platforms: "应埋点平台", .app: "应用", .since: "起始版本",
      .until: "结束版本", .status: "状态", .tracking: "埋点方式", .page: "页面", .pageTitle: "页面名称", .element: "元素", .text: "文案",
      .position: "位置", .selector: "选择器", .picture: "截图", .property: "属性英文变量名", .propertyName: "属性显示名",
      .propertyDescription: "属性值示例或说明", .propertyType: "属性值类型", .required: "是否必填", .isList: "是否列表", .values: "枚举值",
      .pattern: "正则", .firstSeen: "首次上报", .lastSeen: "最近上报", .events30: "过去30天入库", .people30: "过去30天用户",
      .versionsSeen: "已上报版本", .platformsSeen: "已上报平台", .health: "健康", .approvedBy: "审核人", .approvedAt: "审核时间",
      .updatedBy: "修改人", .updatedAt: "修改时间", .accepted: "验收", .remark: "备注",
    ]
    return english.map { header in
      let column = header.event ?? header.property
      return PlanHeader(column.flatMap { texts[$0] } ?? header.text, event: header.event, property: header.property)
    }
  }()

  /// Amplitude requires all headers, with exactly these names. Headers without a column hold the texts that the plan keeps.
  private static let ofAmplitude = [
    PlanHeader("Action", event: .action, property: .action),
    PlanHeader("Object Type", event: .objectType, property: .objectType),
    PlanHeader("Object Name", event: .event, property: .event), PlanHeader("Event Display Name", .name),
    PlanHeader("Object description", .description), PlanHeader("Event Category", .category), PlanHeader("Tags", .tags),
    PlanHeader("Event Activity", .status), PlanHeader("Event Source", .platforms), PlanHeader("Property Type"),
    PlanHeader("Property Group Names"), PlanHeader("Event Property Name", .property),
    PlanHeader("Property Description", .propertyDescription), PlanHeader("Property Value Type", .propertyType),
    PlanHeader("Property Required", .required), PlanHeader("Property Is Array", .isList),
    PlanHeader("Enum Values", .values), PlanHeader("Property Regex", .pattern), PlanHeader("Const Value"),
    PlanHeader("String Property Value Min Length"), PlanHeader("String Property Value Max Length"),
    PlanHeader("Number Property Value Min"), PlanHeader("Number Property Value Max"),
    PlanHeader("Number Is Integer"), PlanHeader("Array Min Items"), PlanHeader("Array Max Items"),
    PlanHeader("Array Unique Items"),
  ]

  /// Segment refuses headers that it does not know; a row with a data type is a property's.
  private static let ofSegment = [
    PlanHeader("Name", event: .event, property: .property),
    PlanHeader("Description", event: .description, property: .propertyDescription),
    PlanHeader("Status", .required), PlanHeader("Data Type", .propertyType), PlanHeader("Permitted Values", .values),
  ]

  private static let ofSensors = [
    PlanHeader("事件英文变量名", event: .event, property: .event), PlanHeader("事件显示名", .name), PlanHeader("应埋点平台", .platforms),
    PlanHeader("触发时机", .trigger), PlanHeader("所属模块", .category), PlanHeader("标签", .tags), PlanHeader("创建人", .owner),
    PlanHeader("版本", .since), PlanHeader("显示状态", .status), PlanHeader("埋点方式", .tracking),
    PlanHeader("属性英文变量名", .property), PlanHeader("事件属性显示名", .propertyName), PlanHeader("属性值类型", .propertyType),
    PlanHeader("属性值示例或说明", .propertyDescription), PlanHeader("是否必填", .required), PlanHeader("备注", .description),
  ]

  /// This is true if rows have an object type.
  var hasObjectType: Bool { headers.contains { $0.event == .objectType } }

  /// This is true if there is a column for lists; otherwise a list is a type.
  var hasIsList: Bool { headers.contains { $0.property == .isList } }

  // MARK: - Words

  func word(_ isProperty: Bool) -> String {
    switch self {
    case .zh: isProperty ? "属性" : "事件"
    case .amplitude: isProperty ? "Event Property" : "Event"
    case .en, .segment, .sensors: isProperty ? "Property" : "Event"
    }
  }

  func word(_ platform: PlannedEvent.Platform) -> String {
    switch (self, platform) {
    case (.sensors, .miniProgram): "MINI_APP"
    case (.sensors, _): platform.rawValue.uppercased()
    case (.zh, .miniProgram): "小程序"
    case (.zh, .server): "服务端"
    case (.zh, .other): "其他"
    case (.en, _), (.zh, _), (.amplitude, _), (.segment, _): platform.rawValue
    }
  }

  func word(_ tracking: PlannedEvent.Tracking) -> String {
    guard self == .zh || self == .sensors else { return tracking.rawValue }
    return switch tracking {
    case .circled: "圈选"
    case .code: "代码"
    case .autocapture: "全埋点"
    }
  }

  func word(_ status: PlanReport.Status) -> String {
    guard self == .zh || self == .sensors else { return status.rawValue }
    return switch status {
    case .planned: "规划中"
    case .defined: "已定义"
    case .live: "已上报"
    case .missing: "漏埋"
    case .wrong: "错埋"
    case .unexpected: "未管理"
    case .stale: "沉默"
    case .deprecated: "废弃"
    case .archived: "归档"
    }
  }

  func word(_ type: PlannedProperty.ValueType?, isList: Bool, hasValues: Bool = false) -> String {
    if isList, !hasIsList { return self == .sensors ? "LIST" : "array" }
    // Amplitude takes values only of this type, and they are texts.
    if self == .amplitude, hasValues, type == nil || type == .any || type == .string { return "enum" }
    guard let type else { return self == .segment ? "any" : "" }
    switch (self, type) {
    case (.zh, .string): return "字符串"
    case (.zh, .number): return "数值"
    case (.zh, .boolean): return "布尔"
    case (.zh, .datetime): return "时间"
    case (.zh, .any): return "任意"
    case (.sensors, .boolean): return "BOOL"
    case (.sensors, _): return type.rawValue.uppercased()
    case (.segment, .datetime): return "date time"
    case (.en, _), (.amplitude, _), (.segment, _): return type.rawValue
    }
  }

  func word(required: Bool) -> String {
    switch self {
    case .segment: required ? "required" : "optional"
    case .zh, .sensors: required ? "是" : "否"
    case .en, .amplitude: required ? "TRUE" : "FALSE"
    }
  }
}

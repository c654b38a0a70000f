/// A column of the plan as a table.
enum PlanColumn: String, CaseIterable, Sendable {
  case action = "Action"
  case objectType = "Object Type"
  case event = "Event Name"
  case name = "Event Display Name"
  case rules = "Rule IDs"
  case description = "Description"
  case trigger = "Trigger"
  case category = "Category"
  case tags = "Tags"
  case owner = "Owner"
  case platforms = "Platforms"
  case app = "App"
  case since = "Since Version"
  case until = "Until Version"
  case status = "Status"
  case tracking = "Tracking Type"
  case page = "Page"
  case pageTitle = "Page Title"
  case element = "Element"
  case text = "Text"
  case position = "Position"
  case selector = "Selector"
  case picture = "Screenshot"
  case property = "Property Name"
  case propertyName = "Property Display Name"
  case propertyDescription = "Property Description"
  case propertyType = "Property Value Type"
  case required = "Property Required"
  case isList = "Property Is Array"
  case values = "Enum Values"
  case pattern = "Regex"
  case firstSeen = "First Seen"
  case lastSeen = "Last Seen"
  case events30 = "Events 30d"
  case people30 = "Users 30d"
  case versionsSeen = "Versions Seen"
  case platformsSeen = "Platforms Seen"
  case health = "Health"
  case approvedBy = "Approved By"
  case approvedAt = "Approved At"
  case updatedBy = "Updated By"
  case updatedAt = "Updated At"
  case accepted = "Accepted"
  case remark = "Remark"
  case propertyRemark = "Property Remark"

  /// This is true if only tables have the column; the plan keeps its texts like the texts of unknown columns.
  var isKept: Bool {
    switch self {
    case .approvedBy, .approvedAt, .updatedBy, .updatedAt, .accepted: true
    default: false
    }
  }

  /// This is true if an import takes the column. Other columns follow from rules, captures and events.
  var isTaken: Bool {
    switch self {
    case .rules, .page, .pageTitle, .element, .text, .position, .selector, .firstSeen, .lastSeen, .events30, .people30,
      .versionsSeen, .platformsSeen, .health:
      false
    default: true
    }
  }

  /// This is true if the column is about a property.
  var isOfProperty: Bool {
    switch self {
    case .property, .propertyName, .propertyDescription, .propertyType, .required, .isList, .values, .pattern,
      .propertyRemark:
      true
    default: false
    }
  }
}

/// A header of a table, with its columns in rows of events and of properties.
struct PlanHeader: Sendable {
  let text: String
  let event: PlanColumn?
  let property: PlanColumn?

  init(_ text: String, event: PlanColumn? = nil, property: PlanColumn? = nil) {
    (self.text, self.event, self.property) = (text, event, property)
  }

  init(_ text: String, _ column: PlanColumn) {
    self.init(text, event: column.isOfProperty ? nil : column, property: column.isOfProperty ? column : nil)
  }
}

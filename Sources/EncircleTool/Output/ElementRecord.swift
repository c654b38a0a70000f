import EncircleIdentity
import EncircleTree

/// The values that a listing has of one element; unknown ones are nil.
struct ElementRecord {
  var capture: String
  var element: ElementID
  var className: String
  /// UTF-8, valid while the record is written.
  var path: UnsafeBufferPointer<UInt8>
  var controller: String?
  var page: String?
  /// UTF-8, valid while the record is written.
  var identity: UnsafeBufferPointer<UInt8>
  var eventID: EventID
  var type: TrackingType?
  /// The cell that the element is or lies in.
  var cell: Locator?
  var content: String?
  /// Whether the content is only that of elements inside it, and nobody tracks it.
  var isContainer = false
  var properties: ElementProperties
  /// The path in another style, which then is `path`.
  var styled: StyledRecord?
}

/// The values that another style has of an element.
struct StyledRecord {
  var path: StyledPath
  /// The ID that the style gives the element.
  var id: [UInt8]?
  /// The position in the innermost list.
  var position: String?
  /// `$element_type` and `$title` of an event, in the styles whose events have them.
  var elementType: String?
  var title: String?
  /// `$element_id` and `$element_selector` of an event of style `sensors-android`.
  var resourceID: String?
  var selector: String?
  /// What an SDK for web pages sends, and would with other settings.
  var web: WebRecord?
  /// Title and message of the alert around the element, where events of the style have them.
  var alert: (title: String?, message: String?)?
}

/// What SDKs for web pages say of an element.
struct WebRecord {
  var tap: WebTap
  var settings: WebSettings?
  var triggers: (change: Bool, submit: Bool, clickWithoutStyles: Bool)?
}

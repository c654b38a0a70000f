import EncircleIdentity
import EncircleTree

/// The values of one element in a listing; unknown ones are nil.
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
  /// This is true if the content comes only from elements inside this one, and no SDK tracks the element itself.
  var isContainer = false
  var properties: ElementProperties
  /// The values in another style, if the listing has one; `path` is then the path in that style.
  var styled: StyledRecord?
}

/// The values of an element in another style.
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
  /// The values that an SDK for web pages sends, and would send with other settings.
  var web: WebRecord?
  /// The title and message of the alert around the element, if events of the style have them.
  var alert: (title: String?, message: String?)?
}

/// The values of an element in the events of SDKs for web pages.
struct WebRecord {
  var tap: WebTap
  var settings: WebSettings?
  var triggers: (change: Bool, submit: Bool, clickWithoutStyles: Bool)?
}

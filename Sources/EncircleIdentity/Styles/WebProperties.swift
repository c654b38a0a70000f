/// The properties of an event in style `sensors-web` for its element besides the path; nil values are missing in the event.
package struct WebProperties {
  /// `$element_class_name`
  package var className: UnsafeBufferPointer<UInt8>?
  /// `$element_id`
  package var id: UnsafeBufferPointer<UInt8>?
  /// `$element_name`
  package var name: UnsafeBufferPointer<UInt8>?
  /// `$element_target_url`
  package var href: UnsafeBufferPointer<UInt8>?

  package init() {}

  /// The names of the properties, in their order.
  package static let names = ["$element_class_name", "$element_id", "$element_name", "$element_target_url"]

  /// Sets the property with a number in ``names``.
  package mutating func set(_ number: Int, _ value: UnsafeBufferPointer<UInt8>) {
    switch number {
    case 0: className = value
    case 1: id = value
    case 2: name = value
    default: href = value
    }
  }
}

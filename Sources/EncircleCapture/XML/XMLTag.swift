import CLibxml2
import EncircleText

/// A start tag as libxml2 reports it. It is valid only during the callback.
struct XMLTag {
  /// The local name. libxml2 interns names, so equal names of a document are equal pointers.
  let name: UnsafePointer<xmlChar>
  let prefix: UnsafePointer<xmlChar>?
  // Five pointers for each attribute: local name, prefix, URI, begin and end of the value.
  let values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  let count: Int

  struct Attribute {
    let name: UnsafePointer<xmlChar>
    let prefix: UnsafePointer<xmlChar>?
    let value: UnsafeBufferPointer<UInt8>

    /// The name with its prefix.
    var qualifiedName: String { XMLTag.qualified(name, prefix) }
  }

  func attribute(_ i: Int) -> Attribute? {
    guard i < count, let values, let name = values[5 * i], let begin = values[5 * i + 3], let end = values[5 * i + 4]
    else { return nil }
    return Attribute(
      name: name, prefix: values[5 * i + 1], value: UnsafeBufferPointer(start: begin, count: end - begin))
  }

  /// The name with its prefix.
  var qualifiedName: String { Self.qualified(name, prefix) }

  /// Returns the bytes of a name.
  static func bytes(_ name: UnsafePointer<xmlChar>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name)))
  }

  private static func qualified(_ name: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?) -> String {
    let local = String(decoding: bytes(name), as: UTF8.self)
    guard let prefix else { return local }
    return "\(String(decoding: bytes(prefix), as: UTF8.self)):\(local)"
  }
}

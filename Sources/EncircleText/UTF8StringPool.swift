/// A pool in which equal names share their storage, because rules name the same few thousand classes again and again. It is not
/// safe for use by several threads at the same time.
public final class UTF8StringPool {
  private var table = StringTable()
  private var names: [UTF8String] = []

  /// Creates an empty pool.
  public init() {}

  /// Returns a text as a name; invalid UTF-8 is repaired with U+FFFD.
  ///
  /// - Complexity: O(length), amortised.
  public func name(_ text: UnsafeBufferPointer<UInt8>) -> UTF8String {
    // Swift keeps shorter strings inside the value, so they have no storage to share.
    guard text.count > 15 else { return UTF8String(String(decoding: text, as: UTF8.self)) }
    let number = Int(table.intern(text).rawValue)
    if number == names.count { names.append(UTF8String(String(decoding: text, as: UTF8.self))) }
    return names[number]
  }
}

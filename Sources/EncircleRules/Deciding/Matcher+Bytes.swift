import EncircleText

// Parts of decisions as bytes that lie in the matcher, for output that makes no strings.

extension Matcher {
  /// The bytes of a rule's id; valid as long as the matcher is.
  package func idBytes(ofRule number: Int) -> UnsafeBufferPointer<UInt8> {
    let (program, rule) = place(ofRule: number)
    return program.pointee.rules.ids[rule]
  }

  /// The bytes of the name under which a rule selects events; valid as long as the matcher is.
  package func emitBytes(ofRule number: Int) -> UnsafeBufferPointer<UInt8> {
    let (program, rule) = place(ofRule: number)
    return program.pointee.rules.emit(of: rule)
  }

  /// The name under which a rule selects events.
  func emitName(ofRule number: Int) -> UTF8String {
    UTF8String(String(decoding: emitBytes(ofRule: number), as: UTF8.self))
  }

  /// The names of excluded pages by their numbers, in byte order, each once. The default pages have the numbers behind those
  /// of the rule set.
  package func excludedPageNames(_ numbers: [Int]) -> [UTF8String] {
    Set(
      numbers.map { number in
        let own = excludedPages.count
        return number < own ? excludedPages[number].name : ExcludedPage.defaults[number - own].name
      }
    ).sorted()
  }
}

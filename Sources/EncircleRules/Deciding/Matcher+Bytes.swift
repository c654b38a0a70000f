import EncircleText

// Parts of decisions as bytes that lie in the matcher, for output that makes no strings.

extension Matcher {
  /// Returns the bytes of a rule's ID, which are valid while the matcher exists.
  package func idBytes(ofRule number: Int) -> UnsafeBufferPointer<UInt8> {
    let (program, rule) = place(ofRule: number)
    return program.pointee.rules.ids[rule]
  }

  /// Calls `body` with the number and the bytes of each name under which a rule selects events. The bytes are valid while the
  /// matcher exists.
  @inline(__always)
  package func forEachEmit(ofRule number: Int, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    let (program, rule) = place(ofRule: number)
    for i in 0..<program.pointee.rules.emitCount(of: rule) { body(i, program.pointee.rules.emit(of: rule, i)) }
  }

  /// Returns the names under which a rule selects events, in the order of the rule.
  package func emitNames(ofRule number: Int) -> [UTF8String] {
    var names: [UTF8String] = []
    forEachEmit(ofRule: number) { names.append(UTF8String(String(decoding: $1, as: UTF8.self))) }
    return names
  }

  /// Returns the details of a rule: a JSON object with its `name`, `owner`, `tags` and `origin`, or empty bytes if it has none
  /// of them. The bytes are valid while the matcher exists.
  package func detailBytes(ofRule number: Int) -> UnsafeBufferPointer<UInt8> {
    let (program, rule) = place(ofRule: number)
    return program.pointee.rules.details(of: rule)
  }

  /// Returns the names of excluded pages by their numbers, in byte order and without duplicates. Default pages are numbered
  /// after the rule set's pages.
  package func excludedPageNames(_ numbers: [Int]) -> [UTF8String] {
    Set(
      numbers.map { number in
        let own = excludedPages.count
        return number < own ? excludedPages[number].name : ExcludedPage.defaults[number - own].name
      }
    ).sorted()
  }
}

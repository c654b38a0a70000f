extension JSONTape {
  /// Appends the bytes of a string node, escapes replaced; a lone surrogate becomes U+FFFD.
  package func appendString(_ index: Int, in text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    let node = self[index]
    let raw = text.part(node.range)
    if node.hasEscapes { JSONString.decode(raw, into: &output) } else { output.append(contentsOf: raw) }
  }

  /// Returns a string node as a `String`.
  package func string(_ index: Int, in text: UnsafeBufferPointer<UInt8>) -> String {
    let node = self[index]
    guard node.hasEscapes else { return String(decoding: text.part(node.range), as: UTF8.self) }
    var bytes: [UInt8] = []
    JSONString.decode(text.part(node.range), into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a string node stands for exactly these bytes.
  package func string(
    _ index: Int, in text: UnsafeBufferPointer<UInt8>, equals other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    JSONTape.string(self[index], in: text, equals: other)
  }

  private static func string(
    _ node: JSONNode, in text: UnsafeBufferPointer<UInt8>, equals other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard node.hasEscapes else { return sameBytes(text.part(node.range), other) }
    // Escapes are never shorter than their decoded form.
    guard node.range.count > other.count else { return false }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(node.range.count)
    JSONString.decode(text.part(node.range), into: &bytes)
    return bytes.withUnsafeBufferPointer { sameBytes($0, other) }
  }

  /// Returns the value of an object's last member with this name; nil if there is none, or if the node is not an object.
  ///
  /// - Complexity: O(*m*), *m* members, regardless of their contents.
  package func member(
    _ name: UnsafeBufferPointer<UInt8>, of index: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    withNodes { nodes -> Int? in
      guard nodes[index].kind == .object else { return nil }
      let end = Int(nodes[index].next)
      var result: Int?
      var key = index + 1
      while key < end {
        if JSONTape.string(nodes[key], in: text, equals: name) { result = key + 1 }
        key = Int(nodes[key + 1].next)
      }
      return result
    }
  }

  /// Returns the value of an object's last member with this name; nil if there is none, or if the node is not an object.
  package func member(_ name: StaticString, of index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: index, in: text)
  }

  /// Returns the element of an array at a position from 0; nil if it has fewer, or if the node is not an array.
  ///
  /// - Complexity: O(`position`).
  package func element(_ position: Int, of index: Int) -> Int? {
    withNodes { nodes -> Int? in
      guard nodes[index].kind == .array, position >= 0 else { return nil }
      let end = Int(nodes[index].next)
      var left = position
      var element = index + 1
      while element < end, left > 0 {
        element = Int(nodes[element].next)
        left -= 1
      }
      return element < end ? element : nil
    }
  }

  /// Returns the value that a pointer finds, starting at node `root`; nil if it finds none.
  package func find(_ pointer: JSONPointer, from root: Int = 0, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard root < count else { return nil }
    var node = root
    for step in pointer.steps {
      let next: Int?
      switch self[node].kind {
      case .object: next = step.name.withUnsafeBufferPointer { member($0, of: node, in: text) }
      case .array: next = step.position.flatMap { element($0, of: node) }
      default: next = nil
      }
      guard let next else { return nil }
      node = next
    }
    return node
  }

  /// Returns a number node as an exact number; nil if the node is not a number.
  package func number(_ index: Int, in text: UnsafeBufferPointer<UInt8>) -> DecimalNumber? {
    let node = self[index]
    return node.kind == .number ? DecimalNumber(text.part(node.range)) : nil
  }
}

/// Texts one after the other. Immutable.
struct TextList: Sendable {
  let bytes: FrozenArray<UInt8>
  /// The places of the texts: text i is bytes[starts[i] ..< starts[i + 1]].
  let starts: FrozenArray<UInt64>

  init(bytes: FrozenArray<UInt8>, starts: FrozenArray<UInt64>) {
    self.bytes = bytes
    self.starts = starts
  }

  init(_ texts: some Sequence<String>) {
    var bytes: [UInt8] = []
    var starts: [UInt64] = [0]
    for text in texts {
      bytes.append(contentsOf: text.utf8)
      starts.append(UInt64(bytes.count))
    }
    self.init(bytes: FrozenArray(bytes), starts: FrozenArray(starts))
  }

  var count: Int { starts.count - 1 }

  @inline(__always) subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
    bytes[Int(starts[index])..<Int(starts[index + 1])]
  }
}

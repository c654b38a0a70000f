/// Hashes keys: multiplies to 128 bits and folds. The seed is random, so that nobody can write rules or events whose keys
/// collide.
enum KeyHash {
  @inline(__always) static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: b ^ 0xD1B5_4A32_D192_ED03)
    return product.high ^ product.low &+ a
  }

  /// Returns the hash of a text, eight bytes at a time.
  @inline(__always) static func hash(_ text: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
    let count = text.count
    guard count > 0, let base = UnsafeRawPointer(text.baseAddress) else { return mix(seed, 0) }
    @inline(__always) func word(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    var a = seed ^ UInt64(truncatingIfNeeded: count)
    // These factors are unknown to the author of the text, so no word of the text can cancel one.
    let (k, l) = (seed ^ 0x9E37_79B9_7F4A_7C15, seed &+ 0xD1B5_4A32_D192_ED03)
    if count >= 16 {
      var b = ~a
      var i = 0
      // Two chains, which the processor follows at the same time.
      while i &+ 32 <= count {
        let x = (a ^ word(i)).multipliedFullWidth(by: word(i &+ 8) ^ k)
        let y = (b ^ word(i &+ 16)).multipliedFullWidth(by: word(i &+ 24) ^ l)
        a = x.high ^ x.low
        b = y.high ^ y.low
        i &+= 32
      }
      if i &+ 16 <= count {
        let x = (a ^ word(i)).multipliedFullWidth(by: word(i &+ 8) ^ k)
        a = x.high ^ x.low
      }
      let x = (b ^ word(count &- 16)).multipliedFullWidth(by: word(count &- 8) ^ k)
      return mix(a, x.high ^ x.low)
    }
    if count >= 8 { return mix(a ^ word(0), word(count &- 8)) }
    var tail: UInt64 = 0
    for i in 0..<count { tail = tail << 8 | UInt64(base.load(fromByteOffset: i, as: UInt8.self)) }
    return mix(a, tail)
  }
}

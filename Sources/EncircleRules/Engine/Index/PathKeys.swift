import EncircleIdentity

/// The parts of a component that count in a key.
enum MaskMode: UInt8, Sendable {
  /// The class alone.
  case classOnly
  /// The class and the kind of the locator.
  case kind
  /// Class, kind and the first number of the locator; or the second number; or both.
  case first, second, full
}

/// Makes the keys of entries: hashes of components and paths.
///
/// A path's hash is the sum of its components' hashes, each mixed with its position from the end, so that a change in one
/// component changes only one term.
struct PathKeys: Sendable {
  let seed: UInt64

  @inline(__always) func classHash(_ number: ClassNumber) -> UInt64 { KeyHash.mix(seed, UInt64(number)) }

  /// Returns the hash of the parts of a component that a mode names.
  @inline(__always)
  func hash(
    _ mode: MaskMode, _ classHash: UInt64, _ kind: ComponentNumbers.Kind, _ first: Int, _ second: Int
  ) -> UInt64 {
    let tag = UInt64(mode.rawValue) << 8 | UInt64(kind.rawValue)
    switch mode {
    case .classOnly: return classHash
    case .kind: return KeyHash.mix(classHash, tag)
    case .first: return KeyHash.mix(classHash &+ tag, UInt64(bitPattern: Int64(first)))
    case .second: return KeyHash.mix(classHash &+ tag, UInt64(bitPattern: Int64(second)))
    case .full:
      let one = KeyHash.mix(classHash &+ tag, UInt64(bitPattern: Int64(first)))
      return kind == .index || kind == .none ? one : KeyHash.mix(one, UInt64(bitPattern: Int64(second)))
    }
  }

  /// Returns a component's term in the hash of a path; positions count from 0 at the end.
  @inline(__always) func term(_ hash: UInt64, at position: Int) -> UInt64 {
    let x = (hash ^ (UInt64(truncatingIfNeeded: position) &+ 1) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return x ^ x &>> 32
  }

  /// Returns the key that all paths, or ends of paths, with the same classes share: their locators are erased.
  @inline(__always) func erased(_ sum: UInt64, length: Int, isWhole: Bool) -> UInt64 {
    KeyHash.mix(sum, UInt64(truncatingIfNeeded: length) << 1 | (isWhole ? 1 : 0))
  }

  /// Returns the key that all paths, or ends of paths, share that are equal in the parts which a mask fixes.
  @inline(__always) func masked(_ sum: UInt64, mask: UInt32, isWhole: Bool) -> UInt64 {
    KeyHash.mix(sum ^ seed, UInt64(mask) << 1 | (isWhole ? 1 : 0))
  }

  /// Returns the key that all selectors share whose last steps name the same classes, for the ``SuffixPrefilter``.
  @inline(__always) func ending(_ sum: UInt64, length: Int) -> UInt64 {
    KeyHash.mix(sum &+ 16, UInt64(truncatingIfNeeded: length))
  }

  @inline(__always) func singleClass(_ classHash: UInt64) -> UInt64 { KeyHash.mix(classHash, 11) }
  @inline(__always) func singleComponent(_ fullHash: UInt64) -> UInt64 { KeyHash.mix(fullHash, 12) }
  @inline(__always) func pair(_ outer: UInt64, _ inner: UInt64) -> UInt64 { KeyHash.mix(outer &+ 13, inner) }

  /// Returns the key with a page besides; nil stands for any page.
  @inline(__always) func onPage(_ key: UInt64, _ page: UInt32?) -> UInt64 {
    page.map { KeyHash.mix(key, UInt64($0) &+ 1) } ?? key
  }

  /// Returns the key of clauses that name no element.
  func noElement(event: UInt32?, page: UInt32?) -> UInt64 {
    onPage(KeyHash.mix(seed &+ 14, event.map { UInt64($0) &+ 1 } ?? 0), page)
  }

  func eventID(_ id: EventID) -> UInt64 { KeyHash.mix(seed &+ 15, id.hash(seed: seed)) }
}

extension SelectorStep {
  /// The parts of a component that the step, which names a class, fixes.
  var mask: (mode: MaskMode, kind: ComponentNumbers.Kind, first: Int, second: Int) {
    let kind: ComponentNumbers.Kind
    switch locatorTest {
    case .anything, .rowOrItem, .conditions: return (.classOnly, .none, 0, 0)
    case .none, .texts: return (.kind, .none, 0, 0)
    case .index:
      return first.only.map { (.full, .index, $0, 0) } ?? (.kind, .index, 0, 0)
    case .row: kind = .row
    case .item: kind = .item
    case .position: kind = .position
    }
    switch (first.only, second.only) {
    case (let first?, let second?): return (.full, kind, first, second)
    case (let first?, nil): return (.first, kind, first, 0)
    case (nil, let second?): return (.second, kind, 0, second)
    case (nil, nil): return (.kind, kind, 0, 0)
    }
  }
}

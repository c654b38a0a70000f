import EncircleText

/// Recognizes the names of classes that libraries make at run time, and finds the original class from the app's source.
///
/// Key-value observing and some hook libraries replace an object's class with a generated subclass. Identities must not depend on
/// whether that has already happened.
public enum RuntimeSubclass {
  /// Returns the range of the source's class in `name`. It is all of `name` if the class was not made at run time.
  ///
  /// Several libraries may each have wrapped the class, so wrappers are removed until none is left.
  public static func writtenClass(in name: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var range = 0..<name.count
    while let inner = unwrapped(name.part(range)), !inner.isEmpty, inner.count < range.count {
      range = range.lowerBound + inner.lowerBound..<range.lowerBound + inner.upperBound
    }
    return range
  }

  /// Returns the name of the source's class that a class name stands for.
  public static func writtenClass(of name: String) -> String {
    var name = name
    return name.withUTF8 { String(decoding: $0.part(writtenClass(in: $0)), as: UTF8.self) }
  }

  /// The prefix of the subclasses that key-value observing makes.
  package static let observationPrefix: StaticString = "NSKVONotifying_"

  /// Returns whether a class was made by key-value observing. Fast enough for every name.
  @inlinable package static func isObservation(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    // "NSKVONot" as one number.
    guard name.count > 15,
      UnsafeRawBufferPointer(name).loadUnaligned(as: UInt64.self).littleEndian == 0x746F_4E4F_564B_534E
    else { return false }
    return name.starts(withLiteral: "NSKVONotifying_")
  }

  /// Returns a path with original classes in place of key-value observing's classes; nil if the path has none. A class name begins at
  /// the beginning of the path, or after `/` or `_`, optionally with a quote.
  ///
  /// - Complexity: O(length).
  package static func pathWithoutObservations(_ path: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let length = observationPrefix.utf8CodeUnitCount
    var result: [UInt8] = []
    var copied = 0
    var i = 0
    while i + length < path.count {
      if isNameStart(i, in: path), isObservation(path.part(i..<path.count)) {
        result.append(contentsOf: path[copied..<i])
        i += length
        copied = i
      } else {
        i += 1
      }
    }
    guard copied > 0 else { return nil }
    result.append(contentsOf: path[copied...])
    return result
  }

  private static func isNameStart(_ i: Int, in path: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = i > 0 && path[i - 1] == UInt8(ascii: "'") ? i - 1 : i
    return start == 0 || path[start - 1] == UInt8(ascii: "/") || path[start - 1] == UInt8(ascii: "_")
  }

  // Taken from the source or the documentation of the libraries named.
  private static let prefixes: [StaticString] = [
    observationPrefix,  // key-value observing
    "_RX_namespace_",  // RxCocoa, _RXObjCRuntime.m
    "st_class_",  // Stinger, STHookInfoPool.m
    "SwiftHook_",  // SwiftHook, DynamicClass.swift
    "_MessageThrottle_",  // MessageThrottle.m
    "GIOKVONotifying_",  // GrowingIO 2
  ]
  private static let suffixes: [StaticString] = [
    "_Aspects_",  // Aspects.m
    "_RACSelectorSignal",  // ReactiveObjC, NSObject+RACSelectorSignal.m
    "_RACSwift",  // ReactiveCocoa, ObjC+RuntimeSubclassing.swift
    "_MAZeroingWeakRefSubclass",  // MAZeroingWeakRef.m
  ]

  /// Returns the range inside the outermost wrapper, or nil without a wrapper.
  private static func unwrapped(_ name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    for prefix in prefixes where name.starts(withLiteral: prefix) {
      return prefix.utf8CodeUnitCount..<name.count
    }
    for suffix in suffixes where name.ends(withLiteral: suffix) {
      return 0..<name.count - suffix.utf8CodeUnitCount
    }
    return sensorsAnalytics(name) ?? firebase(name) ?? interposeKit(name)
  }

  /// Finds the class in a name from Sensors Analytics: `Class_CN.SENSORSDATA` in SADelegateProxyObject.m. Older versions, in
  /// SADelegateProxy.m: `Class.7__CN.SENSORSDATA`, `__CN.SENSORSDATA7.Class` and `__CN.SENSORSDATA.7.Class`.
  private static func sensorsAnalytics(_ name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let mark: StaticString = "_CN.SENSORSDATA"
    if name.ends(withLiteral: mark) {
      let end = name.count - mark.utf8CodeUnitCount
      guard end > 0, name[end - 1] == UInt8(ascii: "_") else { return 0..<end }
      var digits = end - 1
      while digits > 0, isDigit(name[digits - 1]) { digits -= 1 }
      let hasCounter = digits < end - 1 && digits > 0 && name[digits - 1] == UInt8(ascii: ".")
      return 0..<(hasCounter ? digits - 1 : end)
    }
    let old: StaticString = "__CN.SENSORSDATA"
    guard name.starts(withLiteral: old) else { return nil }
    var i = old.utf8CodeUnitCount
    if i < name.count, name[i] == UInt8(ascii: ".") { i += 1 }
    let digits = i
    while i < name.count, isDigit(name[i]) { i += 1 }
    guard i > digits, i < name.count, name[i] == UInt8(ascii: ".") else { return nil }
    return i + 1..<name.count
  }

  /// Finds the class in a name from Firebase: `fir_`, a UUID and `_Class`, in GULObjectSwizzler of GoogleUtilities.
  private static func firebase(_ name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let start = 4
    let end = start + 36
    guard name.starts(withLiteral: "fir_"), name.count > end, name[end] == UInt8(ascii: "_") else { return nil }
    for i in start..<end {
      let isHyphen = [8, 13, 18, 23].contains(i - start)
      guard isHyphen ? name[i] == UInt8(ascii: "-") : isHexadecimal(name[i]) else { return nil }
    }
    return end + 1..<name.count
  }

  /// Finds the class in a name from InterposeKit: `InterposeKit_Class` and 32 hexadecimal digits, in InterposeSubclass.swift.
  private static func interposeKit(_ name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let prefix: StaticString = "InterposeKit_"
    let start = prefix.utf8CodeUnitCount
    guard name.starts(withLiteral: prefix), name.count > start + 32, name.suffix(32).allSatisfy(isHexadecimal) else {
      return nil
    }
    return start..<name.count - 32
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F"))
  }
}

import EncircleRules
import EncircleText
import EncircleTree

/// The sets of classes that a class of unknown name can be a kind of.
///
/// A class has one chain of superclasses. So a kind of two classes exists only if one of them is a kind of the other, or
/// if the superclasses of one are not all known.
enum KindCombinations {
  // The maximum number of classes if some have unknown superclasses; n classes may have 2ⁿ combinations.
  private static let maximumOpen = 6

  /// Returns the combinations, as numbers in `names`; the first one is empty. Nil if there are too many.
  static func all(of names: [UTF8String], _ hierarchy: ClassHierarchy) -> [Bits]? {
    let ancestors = names.map { name in
      var bits = Bits(count: names.count)
      for (i, base) in names.enumerated() { bits[i] = hierarchy.isClass(name.text, kindOf: base.text) }
      return bits
    }
    let isOpen = names.map { !hierarchy.knowsAllSuperclasses(of: $0.text) }
    var result = [Bits(count: names.count)]
    var seen = Set(result)
    guard isOpen.contains(true) else {
      for bits in ancestors where seen.insert(bits).inserted { result.append(bits) }
      return result
    }
    guard names.count <= maximumOpen else { return nil }
    for choice in 1..<(1 << names.count) {
      var bits = Bits(count: names.count)
      for i in names.indices where choice >> i & 1 == 1 { bits[i] = true }
      let isPossible = names.indices.allSatisfy { i in
        !bits[i]
          || names.indices.allSatisfy { j in
            if !bits[j] { return !ancestors[i][j] }
            return isOpen[i] || isOpen[j] || ancestors[i][j] || ancestors[j][i]
          }
      }
      if isPossible { result.append(bits) }
    }
    return result
  }
}

extension ClassHierarchy {
  // The classes without a superclass, or with only superclasses that views and view controllers share.
  private static let roots = ["UIResponder", "android.view.View", "NSObject", "java.lang.Object"]

  /// Returns whether the superclasses of a class are known up to the last one.
  func knowsAllSuperclasses(of name: String) -> Bool {
    Self.roots.contains { isClass(name, kindOf: $0) }
  }
}

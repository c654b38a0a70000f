import EncircleRules
import EncircleText
import EncircleTree

/// All class names, divided by the class patterns that match them, with an example name for each part.
struct ClassAlphabet {
  /// A name, and the patterns that match it.
  typealias Symbol = (name: String, matching: Bits)

  /// One name for each set of patterns that match a name together.
  let symbols: [Symbol]

  /// Divides the names; nil if that takes too long because of the globs.
  ///
  /// Apps have classes that are not known here, so each kind is taken to have one more subclass.
  init?(
    of patterns: [ElementSelector.ClassPattern], hierarchy: ClassHierarchy, budget: WordClasses.Budget? = nil
  ) {
    var symbols: [Symbol] = []
    var seen: Set<Bits> = []
    var named: Set<UTF8String> = []
    func add(_ name: String, _ matching: Bits) {
      if seen.insert(matching).inserted { symbols.append((name, matching)) }
    }
    func consider(_ name: UTF8String) {
      guard named.insert(name).inserted else { return }
      var bits = Bits(count: patterns.count)
      for (i, pattern) in patterns.enumerated() { bits[i] = pattern.matches(name, hierarchy: hierarchy) }
      add(name.text, bits)
    }
    guard budget?.allows(patterns.count * patterns.count / 2) ?? true else { return nil }
    for case .name(let name) in patterns { consider(name) }
    var kinds: [UTF8String] = []
    for case .kindOf(let name) in patterns {
      consider(name)
      kinds.append(name)
    }
    if !kinds.isEmpty {
      var names: [UTF8String] = []
      hierarchy.forEachClass(kindOfAny: kinds.map(\.text)) { names.append(UTF8String($0)) }
      let steps = hierarchy.count / 8 + names.count * patterns.count + kinds.count * kinds.count * 4
      guard budget?.allows(steps) ?? true else { return nil }
      for name in names { consider(name) }
    }
    var globs: [Int] = []
    for (i, pattern) in patterns.enumerated() { if case .glob = pattern { globs.append(i) } }
    let textPatterns = globs.compactMap { i -> TextPattern? in
      if case .glob(let text) = patterns[i] { TextPattern(glob: text.text) } else { nil }
    }
    // There is one text more than there are known names, so at least one of the texts is free.
    let wanted = globs.isEmpty ? 1 : min(8, named.count + 1)
    guard let texts = TextClasses(of: textPatterns, textsPerClass: wanted, budget: budget) else {
      return nil
    }
    for text in texts.classes {
      let free = text.texts.first { !named.contains(UTF8String($0)) }
      // Without globs any name will do, so one is chosen that people can read.
      let name = globs.isEmpty ? Self.unknown(named) : free ?? text.texts[0]
      var bits = Bits(count: patterns.count)
      for (i, pattern) in patterns.enumerated() { if case .any = pattern { bits[i] = true } }
      for (i, glob) in globs.enumerated() where text.matching[i] { bits[glob] = true }
      add(name, bits)
      // Each kind also gets an unknown subclass.
      for kind in kinds {
        let own = globs.isEmpty ? Self.unknown(named, "Custom" + kind.text) : name
        var bits = bits
        for case (let i, .kindOf(let base)) in patterns.enumerated() {
          bits[i] = hierarchy.isClass(kind.text, kindOf: base.text)
        }
        add(own, bits)
      }
    }
    self.symbols = symbols
  }

  private static func unknown(_ known: Set<UTF8String>, _ stem: String = "SomeView") -> String {
    var name = stem
    while known.contains(UTF8String(name)) { name += "X" }
    return name
  }
}

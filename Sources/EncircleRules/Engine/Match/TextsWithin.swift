import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// A place of a projection that no event has: what the innermost element says that is around the event's one and matches a selector.
struct PlaceWithin: Sendable {
  /// The number in the projection.
  let number: Int
  /// The selector, in each of its readings.
  let selectors: [ElementSelector]

  /// The places that programs ask for.
  static func all(
    _ references: [PropertyReference], _ programs: [SharedProgram], _ style: PathStyleName
  ) -> [PlaceWithin] {
    references.enumerated().compactMap { number, reference in
      guard case .textsWithin(let text) = reference,
        programs.contains(where: { $0.program.pointee.tests.hasTest(of: [number]) }),
        let selectors = try? ElementSelector.reading(text.text, in: style)
      else { return nil }
      return PlaceWithin(number: number, selectors: selectors)
    }
  }

  /// Returns the texts within the innermost element around another one that the selector matches; nil if captures do not know it, or
  /// know no text in it for certain.
  ///
  /// - Complexity: O(elements of the page), and O(steps × components²).
  func texts(
    _ texts: ScreenTexts, _ hierarchy: ClassHierarchy, page: UTF8String, around path: ElementPath
  ) -> [String]? {
    for length in stride(from: path.components.count - 1, to: 0, by: -1) {
      let start = ElementPath(Array(path.components[..<length]))
      guard selectors.contains(where: { $0.matches(start, hierarchy: hierarchy) }) else { continue }
      let found = texts[page].compactMap { entry -> String? in
        let components = entry.path.components
        guard components.count >= length, components[..<length].elementsEqual(start.components) else { return nil }
        return entry.text
      }
      return found.isEmpty ? nil : found
    }
    return nil
  }
}

/// Finds what captures say around the elements of events.
struct TextsWithin {
  let places: [PlaceWithin]
  private let texts: ScreenTexts
  private let hierarchy: ClassHierarchy

  private struct Query: Hashable {
    let place: Int
    let page: UTF8String
    let path: ElementPath
  }

  // What has been found; emptied when it is full.
  private var known: [Query: FrozenArray<UInt8>?] = [:]
  private var byteCount = 0
  private static let mostKnown = 10_000
  private static let mostBytes = 16 << 20
  /// The most bytes of a list. Longer ones are not known, as half of one would be a guess.
  static let longestList = 1 << 20

  init(_ matcher: Matcher) {
    places = matcher.placesWithin
    texts = matcher.dictionary.screenTexts
    hierarchy = matcher.hierarchy
  }

  /// Returns a JSON list of what the element says that a place asks for, with all in it; nil if that is not known, or the readings of
  /// the path differ in it.
  mutating func list(_ place: Int, page: UTF8String, _ paths: [ElementPath]) -> FrozenArray<UInt8>? {
    var found: FrozenArray<UInt8>?
    for (i, path) in paths.enumerated() {
      let list = list(Query(place: place, page: page, path: path))
      if i > 0, !Self.areSame(found, list) { return nil }
      found = list
    }
    return found
  }

  private static func areSame(_ a: FrozenArray<UInt8>?, _ b: FrozenArray<UInt8>?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return sameBytes(a.all, b.all)
  }

  private mutating func list(_ query: Query) -> FrozenArray<UInt8>? {
    if let known = known[query] { return known }
    let texts = places[query.place].texts(texts, hierarchy, page: query.page, around: query.path)
    var list: FrozenArray<UInt8>?
    if let texts {
      let json = EventValue.list(texts.map { .string($0) }).json
      if json.count <= Self.longestList { list = FrozenArray(Array(json)) }
    }
    byteCount += list?.count ?? 0
    if known.count >= Self.mostKnown || byteCount > Self.mostBytes {
      known.removeAll(keepingCapacity: true)
      byteCount = list?.count ?? 0
    }
    known[query] = .some(list)
    return list
  }
}

extension ElementDictionary {
  /// What the innermost element says that is around another one and matches a selector, with all in it; nil if captures do not know it.
  ///
  /// - Complexity: O(elements of the page), and O(steps × components²).
  package func texts(
    within selector: UTF8String, around path: ElementPath, page: UTF8String, _ style: PathStyleName
  ) -> [String]? {
    guard let selectors = try? ElementSelector.reading(selector.text, in: style) else { return nil }
    return PlaceWithin(number: 0, selectors: selectors).texts(
      screenTexts, hierarchy, page: page, around: path)
  }
}

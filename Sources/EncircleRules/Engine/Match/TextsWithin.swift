import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// A place of the projection that events do not contain themselves: the texts within the innermost element around the event's
/// element that matches a selector.
struct PlaceWithin: Sendable {
  /// The number in the projection.
  let number: Int
  /// The selector, in each of its readings.
  let selectors: [ElementSelector]

  /// Returns the places that programs ask for.
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

  /// Returns the texts within the innermost enclosing element that the selector matches. Returns nil if captures do not contain such
  /// an element, or no text in it is certain.
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

/// Finds texts around the elements of events in captures.
struct TextsWithin {
  let places: [PlaceWithin]
  private let texts: ScreenTexts
  private let hierarchy: ClassHierarchy

  private struct Query: Hashable {
    let place: Int
    let page: UTF8String
    let path: ElementPath
  }

  // Cached results; the cache is emptied when it is full.
  private var known: [Query: FrozenArray<UInt8>?] = [:]
  private var byteCount = 0
  private static let maximumKnown = 10_000
  private static let maximumBytes = 16 << 20
  /// The largest list, in bytes. A longer one counts as unknown, because half a list would be a guess.
  static let longestList = 1 << 20

  init(_ matcher: Matcher) {
    places = matcher.placesWithin
    texts = matcher.dictionary.screenTexts
    hierarchy = matcher.hierarchy
  }

  /// Returns the texts at a place, as a JSON list with all texts within the element; nil if they are unknown, or differ between the
  /// readings of the path.
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
    if known.count >= Self.maximumKnown || byteCount > Self.maximumBytes {
      known.removeAll(keepingCapacity: true)
      byteCount = list?.count ?? 0
    }
    known[query] = .some(list)
    return list
  }
}

extension ElementDictionary {
  /// Returns all texts within the innermost enclosing element that matches a selector; nil if captures do not contain it.
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

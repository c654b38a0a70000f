/// Keeps a value for each page, made of its latest capture, while the versions of an app are added from the oldest to the
/// newest.
///
/// A version may have captures of some pages only. The others keep their captures.
package struct LatestScreens<Value> {
  private var known: [(summary: ScreenSummary, value: Value)] = []

  package init() {}

  /// The values of the latest captures.
  package var values: [Value] { known.map(\.value) }

  /// Adds the captures of the next version, which replace earlier ones of the same pages.
  ///
  /// - Parameter value: Returns the value of a capture by its number, given the value of the capture that it replaces; nil if it
  ///   replaces none.
  /// - Complexity: O(pairs of one page × elements).
  package mutating func add(
    _ screens: [NamedScreen], value: (_ number: Int, _ earlier: Value?) throws -> Value
  ) rethrows {
    let summaries = screens.map { ScreenSummary($0) }
    let pairs = ScreenPairing(known.map(\.summary), summaries, pairsAnyTwo: false).pairs
    let replaced = Dictionary(uniqueKeysWithValues: pairs.map { ($0.new, $0.old) })
    var new: [(summary: ScreenSummary, value: Value)] = []
    for (number, summary) in summaries.enumerated() {
      let earlier = replaced[number].map { known[$0].value }
      new.append((summary: summary, value: try value(number, earlier)))
    }
    let gone = Set(replaced.values)
    known = known.indices.filter { !gone.contains($0) }.map { known[$0] } + new
  }
}

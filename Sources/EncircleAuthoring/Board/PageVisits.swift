import EncircleText

/// Orders the pages of an app as people come to them: by the mean number of other pages that they had seen before.
struct PageVisits: Sendable {
  private struct Visit: Hashable {
    let person: UInt64
    let page: Int32
  }

  private var numbers: [UTF8String: Int32] = [:]
  private var visits: Set<Visit> = []
  /// The number of pages that each person has seen.
  private var seen: [UInt64: Int] = [:]
  private var sums: [(people: Int, pagesBefore: Int)] = []
  private(set) var beyondLimits = 0

  static let maximumPages = 10_000
  static let maximumVisits = 2_000_000

  /// Adds an event on a page; events come in the order of time.
  mutating func add(_ page: UTF8String, by person: UInt64) {
    guard let number = number(of: page) else { return }
    let visit = Visit(person: person, page: number)
    guard !visits.contains(visit) else { return }
    guard visits.count < Self.maximumVisits else {
      beyondLimits += 1
      return
    }
    visits.insert(visit)
    sums[Int(number)].people += 1
    sums[Int(number)].pagesBefore += seen[person, default: 0]
    seen[person, default: 0] += 1
  }

  private mutating func number(of page: UTF8String) -> Int32? {
    if let known = numbers[page] { return known }
    guard numbers.count < Self.maximumPages else {
      beyondLimits += 1
      return nil
    }
    let number = Int32(numbers.count)
    numbers[page] = number
    sums.append((0, 0))
    return number
  }

  /// The pages in the order of visits.
  ///
  /// - Complexity: O(*n* log *n*), *n* pages.
  var pages: [UTF8String] {
    numbers.map { page, number in
      let sum = sums[Int(number)]
      return (page, mean: Double(sum.pagesBefore) / Double(max(sum.people, 1)), sum.people)
    }.sorted { a, b in
      if a.mean != b.mean { return a.mean < b.mean }
      return a.2 != b.2 ? a.2 > b.2 : a.0 < b.0
    }.map(\.0)
  }

  /// Returns the number of people who have come to a page.
  func people(on page: UTF8String) -> Int { numbers[page].map { sums[Int($0)].people } ?? 0 }
}

/// The figures of a matcher on old views whose truth is known.
struct Score {
  /// The answer of a matcher for one view of the old screen.
  struct Answer {
    var new: Int
    /// Any number that grows with certainty.
    var score: Float
  }

  private var counts: [Int] = Array(repeating: 0, count: 8)
  /// Right and all changed views of each app.
  private var apps: [String: (right: Int, all: Int)] = [:]

  private enum Count: Int { case changed, right, wrong, gone, falseMatches, stolen, unchanged, kept }

  private mutating func add(_ count: Count) { counts[count.rawValue] += 1 }
  private func part(_ count: Count, _ whole: Count) -> Double {
    Double(counts[count.rawValue]) / Double(max(counts[whole.rawValue], 1))
  }

  /// Adds the answers for a pair of screens; answers below the threshold count as "gone".
  mutating func add(_ pair: ScreenPair, _ answers: [Answer?], threshold: Float) {
    let (old, new) = (ViewPaths(pair.old), ViewPaths(pair.new))
    let partners = Set(pair.truth.compactMap { if case .view(let j) = $0 { j } else { nil } })
    for (i, truth) in pair.truth.enumerated() {
      let answer = answers[i].flatMap { $0.score >= threshold ? $0.new : nil }
      switch truth {
      case .unknown: break
      case .gone:
        add(.gone)
        if let answer {
          add(.falseMatches)
          if partners.contains(answer) { add(.stolen) }
        }
      case .view(let j) where old.paths[i] == new.paths[j]:
        add(.unchanged)
        if answer == j { add(.kept) }
      case .view(let j):
        add(.changed)
        apps[pair.app, default: (0, 0)].all += 1
        if answer == j {
          add(.right)
          apps[pair.app]!.right += 1
        } else if answer != nil {
          add(.wrong)
        }
      }
    }
  }

  var falseMatchRate: Double { part(.falseMatches, .gone) }
  var recall: Double { part(.right, .changed) }
  var accuracy: Double {
    let right = counts[Count.right.rawValue] + counts[Count.gone.rawValue] - counts[Count.falseMatches.rawValue]
    return Double(right) / Double(max(counts[Count.changed.rawValue] + counts[Count.gone.rawValue], 1))
  }

  static let columns = ["recall", "macro", "wrong", "fmr", "fsurv", "same", "acc"]
  var figures: [Double] {
    // Apps with few such views say little.
    let large = apps.values.filter { $0.all >= 20 }.map { Double($0.right) / Double($0.all) }
    let macro = large.reduce(0, +) / Double(max(large.count, 1))
    return [
      recall, macro, part(.wrong, .changed), falseMatchRate, part(.stolen, .gone), part(.kept, .unchanged), accuracy,
    ]
  }
}

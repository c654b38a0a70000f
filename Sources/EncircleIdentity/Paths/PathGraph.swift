import EncircleText

/// All readings of a path's text as a graph: the places where a component may begin or end, and the components between them. A text
/// with very many readings thus takes only memory in proportion to its length.
///
/// A reading is a way from the first boundary to the last one. Segments lie one behind the other, and each way goes
/// through all of them.
package struct PathGraph: Sendable {
  package enum Segment: Sendable {
    /// One component, which may be any of these. The segment has one boundary more than the one before it.
    case component([PathComponent])
    /// Components without slashes between them.
    case underscored(UnderscoredNames)

    /// The number of boundaries after the first boundary of the segment.
    package var boundaryCount: Int {
      switch self {
      case .component: 1
      case .underscored(let names): names.separators.count + 1
      }
    }

    fileprivate var count: Int {
      switch self {
      case .component(let components): components.count
      case .underscored(let names): names.count
      }
    }
  }

  /// Outermost first; at least one.
  package let segments: [Segment]
  /// The number of readings, at least one; `Int.max` if there are more.
  package let count: Int

  package init(_ segments: [Segment]) {
    self.segments = segments
    count = segments.reduce(1) { product, segment in
      let (result, overflow) = product.multipliedReportingOverflow(by: segment.count)
      return overflow ? .max : result
    }
  }

  /// Creates the graph of a path with one reading.
  package init(_ path: ElementPath) { self.init(path.components.map { .component([$0]) }) }

  /// Creates the graph of a dictionary's path.
  package init(_ path: ElementPath, in style: PathStyleName) {
    self.init(path.components.map { .component($0.forms(in: style)) })
  }

  /// The path with each component in the form that paths of texts have; nil if it is ambiguous where components begin.
  package var plain: ElementPath? {
    var components: [PathComponent] = []
    for segment in segments {
      guard case .component(let forms) = segment, let form = PathComponent.plain(of: forms) else { return nil }
      components.append(form)
    }
    return ElementPath(components)
  }

  /// The only reading; nil if there are several.
  package var only: ElementPath? { count == 1 ? readings(limit: 1).first : nil }

  /// Returns the first readings, at most `limit`.
  ///
  /// - Complexity: O(`limit` × length).
  package func readings(limit: Int) -> [ElementPath] {
    let readings: [[[PathComponent]]] = segments.map { segment in
      switch segment {
      case .component(let components): components.prefix(limit).map { [$0] }
      case .underscored(let names): names.readings(limit: limit)
      }
    }
    // A reading's number has a digit for each segment; the last segment has the lowest digit.
    return (0..<min(limit, count)).map { number in
      var rest = number
      var choices = [Int](repeating: 0, count: readings.count)
      for i in readings.indices.reversed() where rest > 0 {
        (rest, choices[i]) = rest.quotientAndRemainder(dividingBy: readings[i].count)
      }
      return ElementPath(readings.indices.flatMap { readings[$0][choices[$0]] })
    }
  }
}

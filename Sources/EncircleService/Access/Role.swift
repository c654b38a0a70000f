/// The roles of tokens. Each role includes the ones before it, except `collect`, which can only send events.
package enum Role: String, Codable, Sendable, CaseIterable {
  case collect, read, author, publish

  package func includes(_ other: Role) -> Bool {
    switch (self, other) {
    case (.collect, _): other == .collect
    case (_, .collect): self == .publish
    default: Self.allCases.firstIndex(of: self)! >= Self.allCases.firstIndex(of: other)!
    }
  }
}

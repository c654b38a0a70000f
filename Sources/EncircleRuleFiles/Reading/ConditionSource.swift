import EncircleText

extension RuleSource {
  /// The places of the values in a condition on an event's name, a page or a property.
  package struct ConditionSource: Sendable {
    /// The place of one value.
    package struct Value: Sendable {
      /// The role of a value in its condition.
      package enum Role: Sendable {
        /// It is all of a condition, as in `page: Home`.
        case alone
        /// It is an item of a list.
        case item
        /// It has a separate test, as in `prefix: Home`.
        case test
      }

      package let role: Role
      package internal(set) var place: Place
      /// From the name of the value's test to the end of the value; nil if no test is named, or if the two are on different
      /// lines.
      package internal(set) var test: Place?
    }

    /// All of the condition if it is written in braces in one line, with single values as tests.
    package internal(set) var braces: Place?
    /// The values of `equals`, `in`, `kindOf`, comparisons and tests of texts, in the order of the condition.
    package internal(set) var values: [Value] = []

    /// Returns the places as if the text stood some lines further down.
    func moved(by lines: Int) -> ConditionSource {
      guard lines != 0 else { return self }
      var moved = self
      moved.braces?.location.line += lines
      for i in values.indices where values[i].place.file == nil {
        moved.values[i].place.location.line += lines
        moved.values[i].test?.location.line += lines
      }
      return moved
    }

    /// Returns the same places with their file.
    func inFile(_ file: String) -> ConditionSource {
      var result = self
      for i in values.indices {
        result.values[i].place = values[i].place.inFile(file)
        result.values[i].test = values[i].test?.inFile(file)
      }
      return result
    }
  }
}

import EncircleEvents

extension Matcher {
  /// The places in events on which decisions depend. Events with equal values in these places get the same decision and names, but
  /// not necessarily the same approximation.
  ///
  /// Unlike the ``projection``, they exclude fields such as the time and the user, unless rules test them.
  package var decisivePlaces: Set<PropertyReference> {
    Set(decisiveNumbers.map { properties.references[$0] })
  }

  private var decisiveNumbers: Set<Int> {
    if let styles {
      // Each style has its own fields, and the style itself depends on values of the event.
      return styles.parts.reduce(into: Set(styles.events.places)) { $0.formUnion($1.decisiveNumbers) }
    }
    var numbers = Set(fields.elementProperties)
    for fallback in fields.fallbacks { numbers.formUnion([fallback.place, fallback.first]) }
    for program in programs {
      numbers.formUnion(program.program.pointee.tests.properties)
      // The times of a rule are stored apart from the tests of its clauses.
      if program.program.pointee.rules.testsTime { numbers.formUnion(fields[.time]) }
    }
    return numbers
  }
}

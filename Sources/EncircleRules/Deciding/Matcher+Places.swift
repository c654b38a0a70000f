import EncircleEvents

extension Matcher {
  /// The places in events on which decisions depend: events whose values agree in them are decided alike. The names under which
  /// they are selected are the same, too; not what an approximation says.
  ///
  /// Unlike those of the ``projection`` they are not those of all fields: most rules do not ask for the time or the user.
  package var decisivePlaces: Set<PropertyReference> {
    Set(decisiveNumbers.map { properties.references[$0] })
  }

  private var decisiveNumbers: Set<Int> {
    if let styles {
      // Each style has fields of its own, and an event is of a style by its values, too.
      return styles.parts.reduce(into: Set(styles.events.places)) { $0.formUnion($1.decisiveNumbers) }
    }
    var numbers = Set(fields.elementProperties)
    for fallback in fields.fallbacks { numbers.formUnion([fallback.place, fallback.first]) }
    for program in programs {
      numbers.formUnion(program.program.pointee.tests.properties)
      // The time of a rule is kept beside the tests of its clauses.
      if program.program.pointee.rules.testsTime { numbers.formUnion(fields[.time]) }
    }
    return numbers
  }
}

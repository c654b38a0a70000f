import FuzzSupport

/// Files of tests beside rules, which are run, and whose expectations are replaced.
@main
enum FuzzRuleTests {
  static func main() {
    fuzz { start, count in readRuleTests(bytes(start, count)) }
  }
}

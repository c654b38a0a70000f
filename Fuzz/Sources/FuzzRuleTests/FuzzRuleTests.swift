import FuzzSupport

/// Files of tests beside rules, run, and with their expectations replaced.
@main
enum FuzzRuleTests {
  static func main() {
    fuzz { start, count in readRuleTests(bytes(start, count)) }
  }
}

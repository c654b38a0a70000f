import FuzzSupport

/// Compiled rules with changes and a right checksum, and what they decide.
@main
enum FuzzCompiledRules {
  static func main() {
    fuzz { start, count in readCompiledRules(bytes(start, count)) }
  }
}

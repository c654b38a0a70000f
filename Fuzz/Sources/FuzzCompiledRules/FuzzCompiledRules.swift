import FuzzSupport

/// Changed compiled rules with a correct checksum, and their decisions.
@main
enum FuzzCompiledRules {
  static func main() {
    fuzz { start, count in readCompiledRules(bytes(start, count)) }
  }
}

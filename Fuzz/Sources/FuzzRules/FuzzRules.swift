import FuzzSupport

/// Rule files, with matching and explaining by them.
@main
enum FuzzRules {
  static func main() {
    fuzz { start, count in readRules(bytes(start, count)) }
  }
}

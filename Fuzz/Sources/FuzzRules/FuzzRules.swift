import FuzzSupport

/// Rule files, with what follows from them: matching and explaining.
@main
enum FuzzRules {
  static func main() {
    fuzz { start, count in readRules(bytes(start, count)) }
  }
}

import FuzzSupport

/// Selectors.
@main
enum FuzzSelector {
  static func main() {
    fuzz { start, count in readSelector(bytes(start, count)) }
  }
}

import FuzzSupport

/// Paths in the other SDKs' styles.
@main
enum FuzzStyle {
  static func main() {
    fuzz { start, count in readStyles(bytes(start, count)) }
  }
}

import FuzzSupport

/// Text of UIKit's recursiveDescription.
@main
enum FuzzRecursiveDescription {
  static func main() {
    fuzz { start, count in readCapture(bytes(start, count), as: .recursiveDescription) }
  }
}

import FuzzSupport

/// View-tree XML.
@main
enum FuzzViewTree {
  static func main() {
    fuzz { start, count in readCapture(bytes(start, count), as: .viewTree) }
  }
}

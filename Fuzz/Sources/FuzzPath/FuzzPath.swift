import FuzzSupport

/// Element paths.
@main
enum FuzzPath {
  static func main() {
    fuzz { start, count in readPath(bytes(start, count)) }
  }
}

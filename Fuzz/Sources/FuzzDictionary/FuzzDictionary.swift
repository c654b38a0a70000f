import FuzzSupport

/// Changed dictionary files: SQLite, and the stored form of elements and captures.
@main
enum FuzzDictionary {
  static func main() {
    fuzz { start, count in readDictionary(bytes(start, count)) }
  }
}

import FuzzSupport

/// Dictionary files with changes: SQLite, and what elements and captures are stored as.
@main
enum FuzzDictionary {
  static func main() {
    fuzz { start, count in readDictionary(bytes(start, count)) }
  }
}

import FuzzSupport

/// Rows that an engine passes to `encircle udf`.
@main
enum FuzzRows {
  static func main() {
    fuzz { start, count in readRows(bytes(start, count)) }
  }
}

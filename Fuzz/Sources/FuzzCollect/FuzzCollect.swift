import FuzzSupport

/// What SDKs send: forms, queries and JSON, compressed or not, and the events in it.
@main
enum FuzzCollect {
  static func main() {
    fuzz { start, count in collect(bytes(start, count)) }
  }
}

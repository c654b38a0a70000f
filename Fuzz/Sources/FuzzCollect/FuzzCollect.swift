import FuzzSupport

/// The requests that SDKs post: forms, queries and JSON, also compressed, and the events in them.
@main
enum FuzzCollect {
  static func main() {
    fuzz { start, count in readCollected(bytes(start, count)) }
  }
}

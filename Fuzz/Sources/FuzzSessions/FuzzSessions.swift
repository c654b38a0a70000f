import FuzzSupport

/// Recorded sessions, replayed with the model of each SDK.
@main
enum FuzzSessions {
  static func main() {
    fuzz { start, count in readSession(bytes(start, count)) }
  }
}

import FuzzSupport

/// Events: lines, documents and gzip, and what a rule set says about them.
@main
enum FuzzEvents {
  static func main() {
    fuzz { start, count in readEvents(bytes(start, count)) }
  }
}

import FuzzSupport

/// Events in lines, documents and gzip, and the decisions of a rule set about them.
@main
enum FuzzEvents {
  static func main() {
    fuzz { start, count in readEvents(bytes(start, count)) }
  }
}

import FuzzSupport

/// Messages of an app that is being circled: the envelope, the screen in it, and its picture.
@main
enum FuzzVisualized {
  static func main() {
    fuzz { start, count in readMessage(bytes(start, count)) }
  }
}

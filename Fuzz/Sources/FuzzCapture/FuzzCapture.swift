import FuzzSupport

/// Any bytes: detection, compression and encodings.
@main
enum FuzzCapture {
  static func main() {
    fuzz { start, count in readCapture(bytes(start, count), as: nil) }
  }
}

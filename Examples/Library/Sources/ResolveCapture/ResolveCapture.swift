import EncircleCapture
import EncircleIdentity
import EncircleTree

/// Lists what is worth tracking in a capture.
@main
enum ResolveCapture {
  static func main() throws {
    for file in CommandLine.arguments.dropFirst() {
      let screen = IdentifiedTree(try CaptureReader().read(contentsOf: file))
      let contents = ElementContents(of: screen)
      for element in screen.tree.elements {
        guard let type = screen.trackingType(of: element) else { continue }
        let page = screen.page(of: element) ?? "-"
        print(screen.eventID(of: element), type.rawValue, page, contents.content(of: element) ?? "-")
      }
    }
  }
}

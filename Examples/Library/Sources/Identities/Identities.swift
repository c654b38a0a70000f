import EncircleIdentity
import EncircleTree

/// Computes the event IDs of elements that a program knows from elsewhere, without reading captures or linking an XML parser.
@main
enum Identities {
  static func main() throws {
    // From an event's path and page to its ID.
    let path = try ElementPath(parsing: "UIWindow(0)/UIView(0)/UITableView(0)/ProductCell(section:0 row:7)/UIButton(0)")
    let identity = IdentityString(path: path.written(.underscores), controller: "HomeViewController")
    print(identity.written)
    print(identity.eventID)

    // From a tree to the IDs of its elements.
    var builder = ViewTree.Builder(format: .viewTree)
    builder.beginElement(class: "UIWindow")
    builder.beginElement(class: "UIView")
    builder.addAttribute(.controller, "HomeViewController")
    builder.beginElement(class: "UITableView")
    builder.beginElement(class: "ProductCell")
    builder.addAttribute(.superclasses, "UITableViewCell UIView")
    builder.addAttribute(.indexPath, "0 7")
    builder.beginElement(class: "UIButton")
    let screen = IdentifiedTree(builder.finish())
    for element in screen.tree.elements {
      let type = screen.trackingType(of: element)?.rawValue ?? "-"
      print("\(element) \(screen.eventID(of: element)) \(type) \(screen.path(of: element).written(.slashes))")
    }

    // An ambiguous path is reported as such.
    do throws(PathError) {
      _ = try ElementPath(parsing: "UIWindow(0)_UINavigationBar(0)_Shop_Button")
    } catch {
      guard case .ambiguous(let candidates, let count) = error else { throw error }
      print("\(count) readings: \(candidates.map { $0.written(.slashes) }.joined(separator: ", "))")
    }
  }
}

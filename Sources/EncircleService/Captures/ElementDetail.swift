import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree
import Hummingbird

/// An element with all its details, as an answer.
struct ElementDetail {
  private let elements: ScreenElements
  private let element: ElementID
  private var screen: IdentifiedTree { elements.screen }

  init(of element: ElementID, in screen: IdentifiedTree) {
    elements = ScreenElements(of: screen)
    self.element = element
  }

  /// - Complexity: O(length of all identities).
  func response() -> Response {
    let styles = styledPaths
    return JSON.response { json in
      json.object("element") { elements.write(element, to: &$0) }
      json.array("collides_with", collisions) { $1.value($0) }
      json.array("components", screen.tree.inclusiveAncestors(of: element).reversed()) { ancestor, json in
        json.object { writeComponent(ancestor, to: &$0) }
      }
      json.member("identity", screen.identity(of: element))
      json.object("properties") { json in
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
          switch value {
          case .text(let text): json.member(name, text)
          case .number(let number): json.member(name, number)
          case .flag(let flag): json.member(name, flag)
          }
        }
      }
      json.object("style_ids") { json in for style in styles { json.member(style.name, style.id) } }
      json.object("styles") { json in for style in styles { json.member(style.name, style.path) } }
    }
  }

  // MARK: - The path

  /// Writes an element of the path, with a sentence about its component; `code` and `arguments` say the same.
  private func writeComponent(_ ancestor: ElementID, to json: inout JSONBuilder) {
    let (name, locator) = (screen.className(of: ancestor), screen.locator(of: ancestor))
    let fields = locator.fields.map { $0.name.isEmpty ? "\($0.value)" : "\($0.name):\($0.value)" }
    let meaning = meaning(of: ancestor)
    let controller = screen.tree.value(.controller, of: ancestor).map { "\($0)" }
    json.member("arguments", meaning.arguments)
    json.member("class", name)
    json.member("code", meaning.code.rawValue)
    json.member("controller", controller)
    json.member("kind", Self.kind(of: locator))
    json.member("locator", fields.joined(separator: " "))
    json.member("meaning", meaning.text + (controller.map { " It is the root view of \($0)." } ?? ""))
    json.member("text", ElementPath([PathComponent(name, locator)]).written(.underscores))
  }

  private static func kind(of locator: Locator) -> String {
    switch locator {
    case .none: "none"
    case .index: "index"
    case .row: "row"
    case .item: "item"
    case .position: "position"
    }
  }

  /// The stable names of the components' meanings, from which a client can write the sentence in another language.
  enum MeaningCode: String, CaseIterable {
    case barItem = "bar-item"
    case childPage = "child-page"
    case window, index, row, item, position
  }

  /// Returns the meaning of a component, with the numbers and classes for its sentence.
  private func meaning(of ancestor: ElementID) -> (code: MeaningCode, arguments: [String], text: String) {
    let name = screen.className(of: ancestor)
    return switch screen.locator(of: ancestor) {
    case .none:
      screen.isNavigationBarItem(ancestor)
        ? (
          .barItem, [name],
          "A \(name) in the navigation bar: it has no number, as items of bars change place between pages."
        )
        : (
          .childPage, [name],
          "A \(name) without a number: child pages are added in the order in which they are opened."
        )
    case .index(let index):
      screen.tree.parent(of: ancestor) == nil
        ? (.window, ["\(index)"], "The window: index \(index).")
        : (
          .index, ["\(index)", name],
          "Index \(index), counted from 0, among the views of class \(name) in the view around it."
        )
    case .row(let section, let row):
      (.row, ["\(section)", "\(row)"], "The cell in section \(section), row \(row) of its list, counted from 0.")
    case .item(let section, let item):
      (
        .item, ["\(section)", "\(item)"],
        "The cell in section \(section), item \(item) of its collection, counted from 0."
      )
    case .position(let x, let y):
      (
        .position, ["\(x)", "\(y)"],
        "A child page in a scroll view: screenful \(x) from the left and \(y) from the top, counted from 0."
      )
    }
  }

  // MARK: - Properties

  /// A value of a property.
  private enum Property {
    case text(String)
    case number(Double)
    case flag(Bool)
  }

  /// The attributes of the element. An input field, and everything inside it, shows only its place and the attributes that its
  /// developer has set.
  private var properties: [String: Property] {
    let (tree, found) = (screen.tree, screen.properties(of: element))
    var all: [String: Property] = [:]
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { all[name] = .text(text.beginning(bytes: 4_096)) }
    }
    add("frame", found.frame?.rectText)
    add("screen_title", found.screenTitle)
    add("superclasses", tree.value(.superclasses, of: element))
    add("actions", tree.value(.actions, of: element))
    add("gestures", tree.value(.gestures, of: element))
    guard !screen.holdsTypedText(element) else { return all }
    add("identifier", tree.value(.identifier, of: element))
    add("tag", tree.value(.tag, of: element))
    add("title_color", found.titleColor)
    add("image_name", found.imageName)
    all["switch_state"] = found.switchState.map { .flag($0) }
    all["selected_index"] = found.selectedIndex.map { .number(Double($0)) }
    all["value"] = found.value.map { .number($0) }
    if tree.valueID(.enabled, of: element) != nil { all["enabled"] = .flag(tree.isTrue(.enabled, of: element)) }
    if let alpha = tree.value(.alpha, of: element).flatMap({ Double($0) }), alpha.isFinite {
      all["alpha"] = .number(alpha)
    }
    return all
  }

  // MARK: - Other names of the element

  /// The paths in the styles of other SDKs, and the IDs that those SDKs derive from them, in the order of the styles' names.
  private var styledPaths: [(name: String, path: String, id: String?)] {
    let chain = PathChains(of: screen).chain(to: element)
    var paths: [(name: String, path: String, id: String?)] = []
    for name in PathStyleName.allCases where name != .hubbleData && name.style.unmetRequirement(for: screen) == nil {
      guard let path = name.style.path(of: chain) else { continue }
      paths.append((name.rawValue, path.written, path.digest.map(Hexadecimal.text)))
    }
    return paths.sorted { $0.name < $1.name }
  }

  private var collisions: [Int] {
    let own = screen.eventID(of: element)
    var others: [Int] = []
    screen.forEachIdentity { other, _, _, eventID in
      if eventID == own, other != element { others.append(other.index) }
    }
    return others
  }
}

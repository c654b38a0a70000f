import EncircleAuthoring
import EncircleIdentity
import EncircleText

/// Elements of a dictionary, for people and for programs.
enum KnownElementText {
  private static let maximumCaptures = 5

  /// - Parameter reused: The other elements with its event ID in later versions.
  static func text(_ element: KnownElement, reused: [ReusedID] = []) -> String {
    var lines: [(String, String)] = [
      ("event ID", element.eventID.description), ("identity", element.identity),
      ("path", element.path.written(.slashes)),
    ]
    func add(_ name: String, _ value: String?) { if let value { lines.append((name, value)) } }
    add("page", element.page)
    if let controller = element.controller, controller != element.page { add("controller", controller) }
    add("kind", element.type?.rawValue)
    add("content", element.content)
    add("frame", element.frame?.rectText)
    add("captures", NameList.text(element.captures, atMost: maximumCaptures))
    if !element.appVersions.isEmpty { add("versions", element.appVersions.joined(separator: ", ")) }
    if element.sharing > 1 { add("shared", "by \(element.sharing) elements of one capture") }
    for reuse in reused {
      add(
        "until \(reuse.before.version)",
        "\(reuse.before.title)  \(reuse.before.capture) element \(reuse.before.element)")
      add(
        "from \(reuse.now.version)",
        "another element: \(reuse.now.title)  \(reuse.now.capture) element \(reuse.now.element)")
    }
    for style in element.styles where style != .hubbleData {
      guard let path = element.path(in: style) else { continue }
      add(style.rawValue, path.written)
      if let digest = path.digest { add("\(style.rawValue) id", Hexadecimal.text(digest)) }
    }
    let width = lines.map(\.0.utf8.count).max() ?? 0
    return lines.map { name, value in
      name + String(repeating: " ", count: width - name.utf8.count + 2) + VisibleText.escaping(value) + "\n"
    }.joined()
  }

  /// Returns one object: the first element, with the others that have the same event ID in `others`.
  ///
  /// - Parameter reused: The other elements that have the event IDs in later versions.
  static func json(_ elements: [KnownElement], reused: [EventID: [ReusedID]]) -> [UInt8] {
    var json = JSONBuilder()
    func append(_ element: KnownElement, to json: inout JSONBuilder) {
      Self.append(element, to: &json)
      guard let reused = reused[element.eventID] else { return }
      json.array("reused", reused) { reuse, json in
        json.object {
          Self.append(reuse.before, "before", to: &$0)
          Self.append(reuse.now, "now", to: &$0)
          $0.member("moved_to", reuse.movedTo?.index)
        }
      }
    }
    json.object {
      append(elements[0], to: &$0)
      if elements.count > 1 {
        $0.array("others", Array(elements.dropFirst())) { element, json in json.object { append(element, to: &$0) } }
      }
    }
    return json.bytes
  }

  private static func append(_ owner: ReusedID.Owner, _ name: String, to json: inout JSONBuilder) {
    json.object(name) {
      $0.member("app_version", owner.version)
      $0.member("capture", owner.capture)
      $0.member("element", owner.element.index)
      $0.member("title", owner.title)
    }
  }

  private static func append(_ element: KnownElement, to json: inout JSONBuilder) {
    json.member("event_id", element.eventID)
    json.member("known", true)
    json.member("identity", element.identity)
    var path: [UInt8] = []
    _ = HubbleDataStyle().write(pathOf: element.chain, to: &path)
    path.withUnsafeBufferPointer { json.member("path", $0) }
    json.member("class", element.chain.last?.className)
    json.member("controller", element.controller)
    json.member("page", element.page)
    json.member("type", element.type?.sent.rawValue)
    json.member("kind", element.type?.rawValue)
    json.member("content", element.content)
    json.member("frame", element.frame?.rectText)
    json.member("captures", element.captures)
    json.member("app_versions", element.appVersions)
    if element.sharing > 1 { json.member("sharing", element.sharing) }
    var ids: [(style: String, id: String)] = []
    json.object("styles") { json in
      for style in element.styles {
        // The path in this style has been written above.
        if style != .hubbleData {
          path.removeAll(keepingCapacity: true)
          guard style.style.write(pathOf: element.chain, to: &path) else { continue }
        }
        path.withUnsafeBufferPointer { json.member(style.rawValue, $0) }
        if let id = style.digest(ofPath: path) { ids.append((style.rawValue, Hexadecimal.text(id))) }
      }
    }
    if !ids.isEmpty {
      json.object("style_ids") { json in for (style, id) in ids { json.member(style, id) } }
    }
  }
}

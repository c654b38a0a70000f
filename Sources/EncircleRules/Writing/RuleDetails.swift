import EncircleText

extension SelectionRule {
  /// This is true if people have given the rule a name, an owner, tags or an origin.
  var hasDetails: Bool { name != nil || owner != nil || !tags.isEmpty || origin != nil }

  /// The rule's `name`, `owner`, `tags` and `origin` as a JSON object, without those that the rule lacks.
  var details: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ text: String) {
      var text = text
      text.withUTF8 { JSONText.append($0, to: &bytes) }
    }
    func member(_ name: String) {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
      bytes.append(contentsOf: "\"\(name)\":".utf8)
    }
    if let name {
      member("name")
      append(name)
    }
    if let owner {
      member("owner")
      append(owner)
    }
    if !tags.isEmpty {
      member("tags")
      for (i, tag) in tags.enumerated() {
        bytes.append(UInt8(ascii: i == 0 ? "[" : ","))
        append(tag)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    if let origin {
      member("origin")
      for (i, (name, text)) in [("tool", origin.tool), ("id", origin.id), ("url", origin.url)].enumerated() {
        guard let text else { continue }
        bytes.append(contentsOf: "\(i == 0 ? "{" : ",")\"\(name)\":".utf8)
        append(text.text)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(contentsOf: (bytes.isEmpty ? "{}" : "}").utf8)
    return bytes
  }
}

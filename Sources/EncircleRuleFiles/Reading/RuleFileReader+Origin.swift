import EncircleRules
import EncircleText

extension RuleFileReader {
  private static let longestTool = 50

  /// Reads where a rule comes from.
  mutating func readOrigin(_ node: Node) -> RuleOrigin? {
    guard let members = nodes.members(of: node, "an origin", allowed: RuleFileKeys.origin, mistaken: .origin) else {
      return nil
    }
    for key in ["tool", "id"] where members[key] == nil && !members.mayHave(key) {
      nodes.report("the origin has no '\(key)'", at: node)
    }
    let tool = members["tool"].flatMap { readTool($0) }
    let id = members["id"].flatMap { nodes.name($0, "the id of the definition") }
    let url = members["url"].flatMap { readAddress($0) }
    guard let tool, let id else { return nil }
    return RuleOrigin(tool: tool, id: id, url: url)
  }

  private mutating func readTool(_ node: Node) -> UTF8String? {
    guard let tool = nodes.name(node, "the name of a tool") else { return nil }
    func isWord(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
    }
    guard tool.text.utf8.count <= Self.longestTool, tool.text.utf8.allSatisfy(isWord) else {
      nodes.report("expected a tool in lower-case letters, digits and hyphens, such as 'posthog'", at: node)
      return nil
    }
    return tool
  }

  /// Reads an address that people follow, so that it can be no script.
  private mutating func readAddress(_ node: Node) -> UTF8String? {
    guard let url = nodes.name(node, "an address") else { return nil }
    guard ["https://", "http://"].contains(where: { url.text.beginsWithBytes(of: $0) }) else {
      nodes.report("expected an address that begins with https:// or http://", at: node)
      return nil
    }
    return url
  }
}

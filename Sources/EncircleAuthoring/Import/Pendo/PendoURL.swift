import EncircleEvents
import EncircleRules
import EncircleText

/// A rule for addresses of pages, as Pendo writes them: `//shop.example/orders/*`.
///
/// Source: Pendo's help pages. `*` matches one part of the path or a piece of it, `**` everything from there on.
/// Parameters that the rule does not name, the scheme, and a slash at the end do not matter.
struct PendoURL {
  /// The expression that addresses in events must match.
  private(set) var expression = ""
  /// A text that they must contain besides.
  private(set) var contained: String?
  /// This is true if a part of the rule is not fully documented.
  private(set) var isUncertain = false

  private static let scheme = "(?s)^(?:[a-z][a-z0-9+.-]*:)?"
  /// The maximum number of parameters: each order of them is an alternative.
  private static let maximumParameters = 3

  /// Reads a rule for addresses; nil if the rule is written in an unknown way.
  init?(_ rule: String) {
    var rest = Substring(rule)
    if let mark = rest.offset(of: "~contains:") {
      contained = String(rest.suffixBytes(from: mark + "~contains:".utf8.count))
      rest = rest.prefixBytes(mark)
      isUncertain = true
      if contained?.isEmpty ?? true { return nil }
    }
    if rest.isEmpty, contained != nil {
      expression = ""
      return
    }
    guard let start = rest.offset(of: "//"), rest.prefixBytes(start).utf8.allSatisfy({ $0 != UInt8(ascii: "/") }),
      start == 0 || rest.prefixBytes(start).endsWithBytes(of: ":")
    else { return nil }
    rest = rest.suffixBytes(from: start + 2)
    let fragments = rest.splitBytes(at: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = fragments[0].splitBytes(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (path, isOpen) = Self.path(parts[0]) else { return nil }
    var text = Self.scheme + "//" + path
    if parts.count > 1 {
      guard let parameters = Self.parameters(parts[1]) else { return nil }
      text += (isOpen ? "(?:/[^?#]*)?" : "/?") + parameters
      if fragments.count > 1 { text += "[^#]*" }
    } else if fragments.count > 1 {
      text += (isOpen ? "(?:/[^?#]*)?" : "/?") + "(?:[?][^#]*)?"
    } else {
      text += isOpen ? "(?:[/?#].*)?$" : "/?(?:[?#]|$)"
    }
    if fragments.count > 1 {
      guard !fragments[1].utf8.contains(UInt8(ascii: "*")) else { return nil }
      text += "#\(RegularExpression.quoting(fragments[1]))$"
      isUncertain = true
    }
    expression = text
  }

  /// Returns the expression for host and path, and whether it ends in `**`; nil if `**` stands elsewhere.
  private static func path(_ text: Substring) -> (String, isOpen: Bool)? {
    var parts = text.splitBytes(at: "/", omittingEmptySubsequences: false)
    while parts.count > 1, parts[parts.count - 1].isEmpty { parts.removeLast() }
    guard !parts[0].isEmpty else { return nil }
    var result: [String] = []
    for (i, part) in parts.enumerated() {
      if part.hasSameBytes(as: "**") {
        if i == 0 {
          result.append("[^/?#]*")
          if parts.count == 1 { return (result[0], true) }
          continue
        }
        return i == parts.count - 1 ? (result.joined(separator: "/"), true) : nil
      }
      guard !part.containsBytes(of: "**") else { return nil }
      if part.hasSameBytes(as: "*") {
        result.append("[^/?#]+")
      } else {
        result.append(
          part.splitBytes(at: "*", omittingEmptySubsequences: false).map { RegularExpression.quoting($0) }
            .joined(separator: "[^/?#]*"))
      }
    }
    return (result.joined(separator: "/"), false)
  }

  /// Returns the expression for parameters in any order; nil if there are too many.
  private static func parameters(_ text: Substring) -> String? {
    let parts = text.splitBytes(at: "&").map { parameter in
      let pair = parameter.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = RegularExpression.quoting(pair[0])
      guard pair.count > 1 else { return "\(name)(?:=[^&#]*)?" }
      let value = pair[1].splitBytes(at: "*", omittingEmptySubsequences: false).map { RegularExpression.quoting($0) }
      return "\(name)=\(value.joined(separator: "[^&#]*"))"
    }
    guard !parts.isEmpty, parts.count <= maximumParameters else { return nil }
    let orders = permutations(parts).map { $0.joined(separator: "&(?:[^#]*&)?") }
    let all = orders.count == 1 ? orders[0] : "(?:\(orders.joined(separator: "|")))"
    return "[?](?:[^#]*&)?\(all)(?:[&#]|$)"
  }

  private static func permutations(_ parts: [String]) -> [[String]] {
    var all: [[String]] = [[]]
    for part in parts {
      all = all.flatMap { order in
        (0...order.count).map { place in
          var order = order
          order.insert(part, at: place)
          return order
        }
      }
    }
    return all
  }

  /// The test of an address.
  var test: EventObject {
    var test = EventObject()
    if !expression.isEmpty { test["matches"] = .string(expression) }
    test["contains"] = contained.map { .string($0) }
    return test
  }
}

extension Substring {
  /// Returns the offset of the first occurrence of a word, in bytes; nil if there is none.
  fileprivate func offset(of word: StaticString) -> Int? {
    withContiguousBytes(utf8) { $0.offset(of: word) }
  }

  fileprivate func prefixBytes(_ count: Int) -> Substring { Substring(utf8.prefix(count)) }
  fileprivate func suffixBytes(from offset: Int) -> Substring { Substring(utf8.dropFirst(offset)) }
}

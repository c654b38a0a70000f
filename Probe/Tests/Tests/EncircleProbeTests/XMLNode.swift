import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an XML file.
final class XMLNode {
  let name: String
  let attributes: [String: String]
  var children: [XMLNode] = []

  init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// The element and all in it, in document order.
  var all: [XMLNode] {
    var result: [XMLNode] = []
    var open = [self]
    while let node = open.popLast() {
      result.append(node)
      open += node.children.reversed()
    }
    return result
  }

  /// The first element with an attribute of a value.
  func first(_ attribute: String, _ value: String) -> XMLNode? { all.first { $0.attributes[attribute] == value } }

  static func parse(_ data: Data) throws -> XMLNode {
    let delegate = Delegate()
    let parser = XMLParser(data: data)
    parser.delegate = delegate
    guard parser.parse(), let root = delegate.root else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return root
  }

  private final class Delegate: NSObject, XMLParserDelegate {
    var root: XMLNode?
    private var open: [XMLNode] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      let node = XMLNode(name: name, attributes: attributes)
      open.last?.children.append(node)
      root = root ?? node
      open.append(node)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      open.removeLast()
    }
  }
}

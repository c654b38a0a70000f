import EncircleText
import Yams

/// What other files beside rules are read with: the same words for the same mistakes.
extension RuleFileReader {
  /// Makes a reader of the nodes of a text, for whoever knows what they mean.
  package init(nodesOf text: String, name: String) {
    self.init(document: YAMLText(text, name: name), file: RuleFile(name: name), keepsSources: false)
  }

  /// What has been reported.
  package var diagnostics: [Diagnostic] { file.diagnostics }

  /// The document; nil, with the reason reported, if there is none.
  package mutating func root() -> Node? {
    do throws(Diagnostic.Failure) {
      return try document.parse(resolvesTags: false)
    } catch {
      file.diagnostics.append(error.diagnostic)
      return nil
    }
  }

  /// Reports a problem of the file as a whole.
  package mutating func report(_ message: String) {
    file.diagnostics.append(Diagnostic(message, file: document.name))
  }

  /// The place of a node.
  package func location(of node: Node) -> SourceLocation { document.location(of: node) }

  /// A problem of a node, not reported yet.
  package func diagnostic(_ message: String, at node: Node, suggestion: String? = nil) -> Diagnostic {
    document.diagnostic(message, at: node, suggestion: suggestion)
  }
}

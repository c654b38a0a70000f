import EncircleRules
import EncircleText

/// A name that a rule file has outside its rules, with its place.
package struct FileName: Sendable {
  /// The kind of thing that the name refers to.
  package enum Role: Hashable, Sendable {
    /// The app that the file is for.
    case app
    /// A page of `pages: { exclude: … }`.
    case excludedPage
    /// A class of `classes`, and its superclass there.
    case className, superclass
    /// A property that `fields` assigns to a field.
    case property(EventFields.Field)
  }

  package let role: Role
  package let name: UTF8String
  package let file: String
  package let place: RuleSource.Place
}

extension RuleFileReader {
  /// Remembers a name outside the rules.
  mutating func note(_ role: FileName.Role, _ name: UTF8String, _ node: Node) {
    guard keepsSources else { return }
    file.names.append(FileName(role: role, name: name, file: file.name, place: nodes.document.place(of: node)))
  }
}

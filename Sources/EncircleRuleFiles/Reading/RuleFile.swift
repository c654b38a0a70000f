import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// The content of one file, with the places that are needed when files contradict each other.
struct RuleFile: Sendable {
  struct Placed<Value: Sendable>: Sendable {
    var value: Value
    var location: SourceLocation
    /// The number of lines before the document, if that is a part of a file.
    var line = 0
    /// This is true if the location already refers to the whole file, even if only a part of the file has been read.
    private(set) var isAbsolute = false
    fileprivate let document: YAMLText

    init(_ value: Value, at location: SourceLocation, in document: YAMLText) {
      self.value = value
      self.location = location
      self.document = document
    }

    /// The same value, marked as read from the whole file.
    var absolute: Placed {
      var result = self
      result.isAbsolute = true
      return result
    }

    /// Returns a problem at this place.
    func diagnostic(_ message: String) -> Diagnostic {
      var own = location
      own.line -= line
      var diagnostic = Diagnostic(message, file: document.name, at: own, in: document.lines)
      diagnostic.location = location
      return diagnostic
    }
  }

  let name: String
  /// This is true if the text is a YAML or JSON document.
  var isDocument = false
  /// The line of the key `rules`, if no rules follow it.
  var emptyRulesLine: Int?
  /// The apps that the file is for; empty is any.
  var apps: [UTF8String] = []
  var eachApp: [UTF8String?] { apps.isEmpty ? [nil] : apps }
  var style: Placed<PathStyleName>?
  /// The styles that rules and clauses say.
  var ownStyles: [Placed<PathStyleName>] = []
  /// This is true if some rule or clause states a style, or states that it is for any style.
  var statesStyles = false
  var track: Placed<RuleSet.Tracking>?
  var classes: [Placed<(name: UTF8String, superclass: UTF8String)>] = []
  var excludedPages: [ExcludedPage] = []
  var excludesDefaultPages: Placed<Bool>?
  var titledPages: [IdentityOptions.Page] = []
  var fields: [Placed<(field: EventFields.Field, places: [PropertyReference])>] = []
  var rules: [Placed<SelectionRule>] = []
  var checks: [CheckCode: CheckSetting] = [:]
  /// The selectors that have brackets, which only some styles do.
  var styledSelectors: [StyledSelector] = []
  /// The identities that rules with `sameKind` name.
  var identities: [Placed<UTF8String>] = []
  /// The sources of rules by id, if they are wanted.
  var sources: [UTF8String: RuleSource] = [:]
  /// The comments that silence findings, if they are wanted.
  var suppressions: [SuppressionComment] = []
  /// The names outside the rules, if they are wanted.
  var names: [FileName] = []
  var diagnostics = DiagnosticList()

  /// Returns a note about a place in the file.
  func note(_ message: String, at location: SourceLocation) -> Diagnostic.Note {
    Diagnostic.Note(message: message, file: name, location: location)
  }
}

import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The content of one file, with the places that are needed when files contradict each other.
struct RuleFile: Sendable {
  struct Placed<Value: Sendable>: Sendable {
    var value: Value
    var location: SourceLocation
    /// The number of lines before the document, if that is a part of a file.
    var line = 0
    /// Whether the location already refers to the whole file, even if only a part of the file has been read.
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

    /// A problem of the place.
    func diagnostic(_ message: String) -> Diagnostic {
      var own = location
      own.line -= line
      var diagnostic = Diagnostic(message, file: document.name, at: own, in: document.lines)
      diagnostic.location = location
      return diagnostic
    }
  }

  let name: String
  /// Whether the text is a YAML or JSON document.
  var isDocument = false
  /// The line of the key `rules`, if no rules follow it.
  var emptyRulesLine: Int?
  /// The apps that the file is for; empty is any.
  var apps: [UTF8String] = []
  var eachApp: [UTF8String?] { apps.isEmpty ? [nil] : apps }
  var style: Placed<PathStyleName>?
  /// The styles that rules and clauses say.
  var ownStyles: [Placed<PathStyleName>] = []
  /// Whether some rule or clause states a style, or states that it is for any style.
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
}

/// A selector with brackets or texts, which not every style has, as it is written.
struct StyledSelector {
  private let node: Node
  private let document: YAMLText
  // Whether `../` and `./` may precede it.
  private let isRelative: Bool
  /// The number of lines before the document, if that is a part of a file.
  var line = 0
  /// The style that the clause states.
  var style: RuleClause.Style
  /// Whether the location already refers to the whole file, even if only a part of the file has been read.
  private(set) var isAbsolute = false

  /// The same selector, marked as read from the whole file.
  var absolute: StyledSelector {
    var result = self
    result.isAbsolute = true
    return result
  }

  init(_ node: Node, _ document: YAMLText, _ style: RuleClause.Style, isRelative: Bool = false) {
    self.node = node
    self.document = document
    self.style = style
    self.isRelative = isRelative
  }

  /// Returns the problem of a step that matches nothing in a style; nil if there is none.
  func problem(in style: PathStyleName) -> Diagnostic? {
    guard let written = node.scalar?.string else { return nil }
    let text = isRelative ? RelativeSelector.steps(of: written) : written
    if let problem = pageProblem(text, in: style) { return problem }
    if style.isWeb { return nil }
    guard let syntax = try? SelectorSyntax(parsing: text),
      let step = syntax.selector.unreadableStep(in: style)
    else { return nil }
    let problem =
      syntax.selector.steps[step].hasTexts
      ? "paths of style '\(style.rawValue)' have no texts; paths of posthog have 'text' and 'id'"
      : "style '\(style.rawValue)' has no component of this form; expected \(style.bracketExamples ?? "a class"), "
        + "or a locator as in View(0...2)" + Self.hint(syntax.selector.steps[step])
    var diagnostic = document.diagnostic(
      "in the selector: \(problem)", at: node,
      offset: written.utf8.count - text.utf8.count + syntax.stepSpans[step].lowerBound)
    diagnostic.location?.line += line
    return diagnostic
  }

  /// Returns the problem of a CSS selector in another style, or of another selector in a web style; nil if there is none.
  private func pageProblem(_ text: String, in style: PathStyleName) -> Diagnostic? {
    let message: String
    var offset = 0
    var suggestion: String?
    do throws(SelectorError) {
      if style.isWeb {
        guard try ElementSelector.css(parsing: text).contains(where: { $0.unreadableStep(in: style) != nil }) else {
          return nil
        }
        message =
          "events of style '\(style.rawValue)' say the tag, the id and the place among siblings of the tag of all elements, and classes and "
          + "the attributes name and href of the element itself alone: expected tags, '#id' and ':nth-of-type(n)' around it"
      } else {
        _ = try ElementSelector(parsing: text)
        return nil
      }
    } catch {
      (message, offset, suggestion) = (error.message, error.offset, error.suggestion)
    }
    var diagnostic = document.diagnostic(
      "in the selector: \(message)", at: node, offset: offset, suggestion: suggestion)
    diagnostic.location?.line += line
    return diagnostic
  }

  /// Returns a hint, in parentheses, that names the styles in which the step is valid; empty if there are none. Authors who copied the
  /// step from events may have stated the wrong style.
  private static func hint(_ step: ElementSelector.Step) -> String {
    let alone = ElementSelector(isAnchored: false, steps: [step])
    let styles = PathStyleName.allCases.filter {
      $0.bracketExamples != nil && alone.unreadableStep(in: $0) == nil
    }
    return styles.isEmpty ? "" : " (it is one of " + styles.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}

/// Joins files to one rule set, and finds where they contradict each other.
struct RuleSetBuilder {
  private(set) var diagnostics: DiagnosticList
  private var ruleSet = RuleSet()
  private var trackPlace: Diagnostic.Note?
  private var styles = StyleResolution()
  private var defaultPagesPlace: Diagnostic.Note?
  private var rulePlaces: [UTF8String: Diagnostic.Note] = [:]
  private var classPlaces: [UTF8String: Diagnostic.Note] = [:]
  private var fieldPlaces: [EventFields.Field: (places: [PropertyReference], note: Diagnostic.Note)] = [:]
  private var hierarchy = ClassHierarchy.builtIn
  private var styledSelectors: [StyledSelector] = []
  private var identities: [RuleFile.Placed<UTF8String>] = []
  private var hasDeepClass = false
  private var sources: [UTF8String: RuleSource] = [:]
  private var fileChecks: [UTF8String: [CheckCode: CheckSetting]] = [:]
  private var suppressions: [UTF8String: [SuppressionComment]] = [:]
  private var names: [FileName] = []

  /// Creates a builder, with the problems of files that could not be read.
  init(_ problems: [Diagnostic]) {
    diagnostics = DiagnosticList()
    for problem in problems { diagnostics.append(problem) }
  }

  /// Reports a problem of a file as a whole.
  mutating func report(_ message: String, file: String) { diagnostics.append(Diagnostic(message, file: file)) }

  /// Adds the definitions of all files, which have been read before.
  mutating func add(_ definitions: Definitions) {
    diagnostics.append(contentsOf: definitions.problems)
    ruleSet.definedClauses = Set(definitions.clauses.keys)
    ruleSet.definedValues = definitions.values.mapValues(\.condition.description)
  }

  mutating func add(_ file: RuleFile) {
    diagnostics.append(contentsOf: file.diagnostics)
    func note(_ message: String, _ location: SourceLocation) -> Diagnostic.Note {
      Diagnostic.Note(message: message, file: file.name, location: location)
    }
    func problem<Value>(_ message: String, _ placed: RuleFile.Placed<Value>, _ others: Diagnostic.Note...) {
      var diagnostic = placed.diagnostic(message)
      diagnostic.notes = others
      diagnostics.append(diagnostic)
    }
    if let track = file.track {
      if let other = trackPlace, ruleSet.track != track.value {
        problem("'track: \(track.value.rawValue)' contradicts another file of the rule set", track, other)
      }
      ruleSet.track = track.value
      trackPlace = note("'track: \(track.value.rawValue)' is here", track.location)
    }
    styles.add(file)
    if let defaults = file.excludesDefaultPages {
      if let other = defaultPagesPlace, ruleSet.excludesDefaultPages != defaults.value {
        problem("'defaults: \(defaults.value)' contradicts another file of the rule set", defaults, other)
      }
      ruleSet.excludesDefaultPages = defaults.value
      defaultPagesPlace = note("'defaults: \(defaults.value)' is here", defaults.location)
    }
    for entry in file.classes {
      let (name, superclass) = entry.value
      let builtIn = ClassHierarchy.builtIn.superclasses(of: name.text)
      if ClassHierarchy.builtIn.contains(name.text), builtIn.first.map({ UTF8String($0) }) != superclass {
        let found = builtIn.first.map { "whose superclass is \($0)" } ?? "which has no superclass here"
        problem("\(name) is a class of the system, \(found): rules cannot give it another one", entry)
        continue
      }
      if let known = ruleSet.classes[name], known != superclass, let other = classPlaces[name] {
        problem("\(name) cannot have two superclasses, \(known) and \(superclass)", entry, other)
      } else if !hierarchy.add(name.text, superclass: superclass.text) {
        if hierarchy.isClass(superclass.text, kindOf: name.text) {
          problem("\(name) cannot be a subclass of \(superclass), which is a kind of it", entry)
        } else if !hasDeepClass {
          // One report is enough, because the classes below this one have too many superclasses, too.
          hasDeepClass = true
          problem("with this, some class would have more than \(ClassHierarchy.maximumDepth) superclasses", entry)
        }
      }
      ruleSet.classes[name] = superclass
      classPlaces[name] = note("'\(name): \(superclass)' is here", entry.location)
    }
    for entry in file.fields {
      let (field, places) = entry.value
      if let known = fieldPlaces[field], known.places != places {
        problem("the field '\(field.rawValue)' is elsewhere in another file of the rule set", entry, known.note)
      }
      ruleSet.fields.set(field, places)
      fieldPlaces[field] = (places, note("the other place of '\(field.rawValue)'", entry.location))
    }
    for entry in file.rules {
      let id = entry.value.id
      if let other = rulePlaces[id] {
        problem("there are two rules with the id '\(id)'", entry, other)
      } else {
        rulePlaces[id] = note("the first rule with the id '\(id)'", entry.location)
        ruleSet.rules.append(entry.value)
        if file.style == nil { styles.noteWithoutStyle(entry) }
      }
    }
    styles.note(ruleCount: ruleSet.rules.count, in: file.style?.value)
    for var selector in file.styledSelectors {
      if selector.style == .unstated, let style = file.style { selector.style = .only(style.value) }
      styledSelectors.append(selector)
    }
    identities += file.identities
    ruleSet.excludedPages.append(contentsOf: file.excludedPages)
    ruleSet.identity.screenTitle += file.titledPages
    sources.merge(file.sources) { first, _ in first }
    names += file.names
    if !file.checks.isEmpty { fileChecks[UTF8String(file.name)] = file.checks }
    if !file.suppressions.isEmpty { suppressions[UTF8String(file.name)] = file.suppressions }
  }

  /// Finds problems that show only after all files have been read.
  mutating func checkTogether() {
    for problem in styles.problems { diagnostics.append(problem) }
    for selector in styledSelectors {
      guard let style = styles.style(of: selector.style) else { continue }
      if let problem = selector.problem(in: style) { diagnostics.append(problem) }
    }
    styles.apply(to: &ruleSet)
    reportPathsInPageStyles()
    guard !identities.isEmpty else { return }
    let vocabulary = ruleSet.vocabulary()
    for identity in identities {
      guard let parts = IdentityString(parsing: identity.value.text) else { continue }
      do throws(PathError) {
        _ = try ElementPath(parsing: parts.path, notation: .underscores, vocabulary: vocabulary)
      } catch {
        var message = "'sameKind' needs the path of the identity, which cannot be read: \(error.message)"
        if case .ambiguous(let candidates, _) = error {
          let readings = candidates.prefix(2).map { $0.written(.slashes) }.joined(separator: " or ")
          message =
            "'sameKind' needs the path of the identity, which may be read as \(readings): "
            + "name its classes under 'classes', or write a selector instead"
        }
        diagnostics.append(identity.diagnostic(message))
      }
    }
  }

  /// Reports selectors that are not CSS in files without a style, if another file sets a style of web pages.
  private mutating func reportPathsInPageStyles() {
    guard ruleSet.styles.contains(where: \.isWeb) else { return }
    for rule in ruleSet.rules {
      for clause in rule.clauses + rule.unless {
        guard let style = clause.readingStyle(ruleSet.style), style.isWeb else { continue }
        for selector in clause.selectors where !selector.isCSS {
          do throws(SelectorError) {
            _ = try ElementSelector.css(parsing: selector.description)
          } catch {
            guard let place = rulePlaces[rule.id] else { continue }
            diagnostics.append(
              Diagnostic(
                "in the selector \(selector) of rule '\(rule.id)': \(error.message)", file: place.file,
                at: place.location))
          }
        }
      }
    }
  }

  /// Returns the rule set with the places of its rules.
  func finishWithSources() -> SourcedRuleSet {
    var sources = sources
    // A selector that the style reads in two ways becomes two selectors, so the places must be repeated.
    if ruleSet.styles != [.hubbleData] {
      for rule in ruleSet.rules { sources[rule.id]?.spreadSelectors(of: rule, ruleSet.style) }
    }
    return SourcedRuleSet(
      ruleSet: finish(), sources: sources, fileChecks: fileChecks, suppressions: suppressions, names: names)
  }

  /// Returns the rule set. Its selectors are read now, because the style is known only after all files have been read.
  func finish() -> RuleSet {
    var ruleSet = ruleSet
    guard ruleSet.styles != [.hubbleData] else { return ruleSet }
    ruleSet.fields = EventFields(style: ruleSet.style)
    for (field, own) in fieldPlaces { ruleSet.fields.set(field, own.places) }
    for i in ruleSet.rules.indices { ruleSet.rules[i].readSelectors(in: ruleSet.style) }
    return ruleSet
  }
}

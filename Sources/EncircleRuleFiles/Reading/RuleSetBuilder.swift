import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

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
    if let track = file.track {
      if let other = trackPlace, ruleSet.track != track.value {
        report("'track: \(track.value.rawValue)' contradicts another file of the rule set", track, other)
      }
      ruleSet.track = track.value
      trackPlace = file.note("'track: \(track.value.rawValue)' is here", at: track.location)
    }
    styles.add(file)
    if let defaults = file.excludesDefaultPages {
      if let other = defaultPagesPlace, ruleSet.excludesDefaultPages != defaults.value {
        report("'defaults: \(defaults.value)' contradicts another file of the rule set", defaults, other)
      }
      ruleSet.excludesDefaultPages = defaults.value
      defaultPagesPlace = file.note("'defaults: \(defaults.value)' is here", at: defaults.location)
    }
    addClasses(of: file)
    addFields(of: file)
    addRules(of: file)
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

  private mutating func addClasses(of file: RuleFile) {
    for entry in file.classes {
      let (name, superclass) = entry.value
      let builtIn = ClassHierarchy.builtIn.superclasses(of: name.text)
      if ClassHierarchy.builtIn.contains(name.text), builtIn.first.map({ UTF8String($0) }) != superclass {
        let found = builtIn.first.map { "whose superclass is \($0)" } ?? "which has no superclass here"
        report("\(name) is a class of the system, \(found): rules cannot give it another one", entry)
        continue
      }
      if let known = ruleSet.classes[name], known != superclass, let other = classPlaces[name] {
        report("\(name) cannot have two superclasses, \(known) and \(superclass)", entry, other)
      } else if !hierarchy.add(name.text, superclass: superclass.text) {
        if hierarchy.isClass(superclass.text, kindOf: name.text) {
          report("\(name) cannot be a subclass of \(superclass), which is a kind of it", entry)
        } else if !hasDeepClass {
          // One report is enough, because the classes below this one have too many superclasses, too.
          hasDeepClass = true
          report("with this, some class would have more than \(ClassHierarchy.maximumDepth) superclasses", entry)
        }
      }
      ruleSet.classes[name] = superclass
      classPlaces[name] = file.note("'\(name): \(superclass)' is here", at: entry.location)
    }
  }

  private mutating func addFields(of file: RuleFile) {
    for entry in file.fields {
      let (field, places) = entry.value
      if let known = fieldPlaces[field], known.places != places {
        report("the field '\(field.rawValue)' is elsewhere in another file of the rule set", entry, known.note)
      }
      ruleSet.fields.set(field, places)
      fieldPlaces[field] = (places, file.note("the other place of '\(field.rawValue)'", at: entry.location))
    }
  }

  private mutating func addRules(of file: RuleFile) {
    for entry in file.rules {
      let id = entry.value.id
      if let other = rulePlaces[id] {
        report("there are two rules with the id '\(id)'", entry, other)
      } else {
        rulePlaces[id] = file.note("the first rule with the id '\(id)'", at: entry.location)
        ruleSet.rules.append(entry.value)
        if file.style == nil { styles.noteWithoutStyle(entry) }
      }
    }
  }

  private mutating func report<Value>(
    _ message: String, _ placed: RuleFile.Placed<Value>, _ others: Diagnostic.Note...
  ) {
    var diagnostic = placed.diagnostic(message)
    diagnostic.notes = others
    diagnostics.append(diagnostic)
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

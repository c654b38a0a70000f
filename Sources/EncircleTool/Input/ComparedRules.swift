import ArgumentParser
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules

/// One of two compared rule sets before the known elements are loaded: files with rules, or one compiled file.
enum ComparedRules {
  case rules(RuleSet)
  case compiled(CompiledRules, name: String)

  /// Reads a file or a directory; prints problems and throws an exit code.
  init(path: String) throws {
    let files = RuleFiles([path])
    guard let (name, rules) = files.compiled.first, files.names.count == 1 else {
      self = .rules(try RuleOptions.ruleSet(files))
      return
    }
    do throws(CompiledRulesError) {
      self = .compiled(try rules.get(), name: name)
    } catch {
      throw ExitStatus.badData.failure("\(name): error: \(error)")
    }
  }

  /// The styles that rules are in, the first one first.
  var styles: [PathStyleName] {
    switch self {
    case .rules(let ruleSet): ruleSet.styles
    case .compiled(let compiled, _): [compiled.style] + compiled.otherStyles
    }
  }

  /// This is true if some rule uses the texts of other elements on the screen.
  var readsScreens: Bool {
    switch self {
    case .rules(let ruleSet): ruleSet.readsScreens
    case .compiled(let compiled, _): compiled.readsScreens
    }
  }

  /// The parts of identities according to the rules.
  var identity: IdentityOptions {
    switch self {
    case .rules(let ruleSet): ruleSet.identity
    case .compiled(let compiled, _): compiled.identity
    }
  }

  /// Returns the elements of the dictionary file and the captures.
  ///
  /// - Parameter withScreens: True if these or other rules, which share the dictionary, use the texts of other elements.
  /// - Throws: An error if there are no such files and a rule needs them.
  func dictionary(
    _ elements: KnownElementOptions, _ formats: InputFormatOptions, withScreens: Bool
  ) throws -> ElementDictionary {
    guard elements.inputPaths.isEmpty else {
      return try elements.loadDictionary(
        formats, styles[0], identity, otherStyles: Array(styles.dropFirst()), withScreens: withScreens)
    }
    switch self {
    case .rules(let ruleSet): return try elements.loadDictionary(formats, for: ruleSet)
    case .compiled(let compiled, _): return try elements.loadDictionary(formats, for: compiled)
    }
  }

  /// Returns two rule sets without time limits, as taps on elements of captures have no time. Compiled rules keep their limits, so
  /// rules that are compared with them do, too.
  static func atAnyTime(_ first: ComparedRules, _ second: ComparedRules) -> (ComparedRules, ComparedRules) {
    guard case .rules(let first) = first, case .rules(let second) = second else { return (first, second) }
    return (.rules(first.atAnyTime), .rules(second.atAnyTime))
  }

  /// Returns the matcher; prints problems and throws an exit code.
  func matcher(_ dictionary: ElementDictionary) throws -> Matcher {
    switch self {
    case .rules(let ruleSet): return Matcher(ruleSet, dictionary: dictionary)
    case .compiled(let compiled, let name):
      do throws(CompiledRulesError) {
        return try Matcher(compiled: compiled, dictionary: dictionary)
      } catch {
        throw ExitStatus.badData.failure("\(name): error: \(error)")
      }
    }
  }
}

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

  /// The style of paths in a dictionary for the rules.
  var style: PathStyleName {
    switch self {
    case .rules(let ruleSet): ruleSet.style
    case .compiled(let compiled, _): compiled.style
    }
  }

  /// The parts of identities according to the rules.
  var identity: IdentityOptions {
    switch self {
    case .rules(let ruleSet): ruleSet.identity
    case .compiled(let compiled, _): compiled.identity
    }
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

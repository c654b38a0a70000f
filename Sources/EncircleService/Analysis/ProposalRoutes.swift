import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Hummingbird

/// Routes for rules for many elements of a screen at once.
struct ProposalRoutes: RouteGroup {
  let state: ServiceState

  // This is enough for the longest allowed list of words.
  private static let bodyBytes = 2 * WordList.maximumFileSize
  private static let maximumElements = 100_000
  // The maximum number of places of one element that an answer lists.
  private static let maximumPlaces = 1_000

  var routes: [Route] {
    [
      state.question(
        "/v1/suggest/all", "suggestAll", bodyBytes: Self.bodyBytes, on: state.analysts, isSole: true, propose)
    ]
  }

  private func propose(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("capture", "elements", "names", "words", "ruleset", "draft", "style")
    let context = try state.analysis.context(body)
    let ruleSet = context.ruleSet
    let names = try body.member("names").map { try $0.nameTemplate } ?? .standard
    let words = try body.member("words").map { try $0.wordList } ?? WordList()
    let screen = try state.analysis.screen(try body.required("capture").text)
    let style = SelectionSettings(ruleSet).style(for: screen.identified)
    if let unmet = style.style.unmetRequirement(for: screen.identified) {
      throw try body.required("capture").error(
        "Style \(style.rawValue) cannot serve this capture: \(unmet).", code: "style-lacks")
    }
    let wanted = try body.member("elements").map { try Self.elements($0, of: screen.identified, style) }
    try WorkBudget.check()
    let proposals = try ScreenSuggester(screen.identified, ruleSet).proposals(
      names: names, words: words, for: wanted, check: WorkBudget.check)
    return Self.json(proposals, clauseStyle: context.clauseStyle)
  }

  /// Returns the elements that a request names. Each is replaced by the nearest tracked element around it, if it is not tracked
  /// and there is one.
  private static func elements(
    _ body: JSONBody, of screen: IdentifiedTree, _ style: PathStyleName
  ) throws -> [ElementID] {
    let elements = try body.elements
    guard elements.count <= maximumElements else {
      throw body.error("At most \(maximumElements) elements can be named.", code: "too-many")
    }
    return try elements.map { element in
      let id = ElementID(try element.number(in: 0...max(0, screen.tree.count - 1)))
      return screen.trackedElement(around: id, in: style) ?? id
    }
  }

  private static func json(_ proposals: ScreenProposals, clauseStyle: PathStyleName?) -> [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.member("style", proposals.style.rawValue)
      $0.array("rules", proposals.rules) { rule, json in
        let suggestion = rule.suggestion
        json.object {
          $0.member("id", rule.id)
          $0.nullable("name", rule.name)
          $0.member("emit", rule.emit)
          $0.member("element", rule.element.index)
          $0.array("elements", Array(rule.elements.prefix(maximumPlaces))) { $1.value($0.index) }
          $0.member("count", rule.elements.count)
          $0.member("type", rule.type.rawValue)
          $0.nullable("page", suggestion.page)
          $0.nullable("selector", suggestion.namesPlace ? suggestion.selector.description : nil)
          $0.member("stability", suggestion.stability.score)
          $0.array("doubtful", rule.reviewReasons) { reason, json in
            let (code, arguments) = reason.coded(of: suggestion.selector)
            json.object {
              $0.member("text", reason.description(of: suggestion.selector))
              $0.member("code", code)
              $0.member("arguments", arguments)
            }
          }
          $0.member("clause", .object(rule.clause.naming(clauseStyle)))
        }
      }
      $0.array("others", proposals.others) { other, json in
        json.object {
          $0.member("element", other.element.index)
          $0.member("state", other.state.rawValue)
        }
      }
      $0.array("impossible", proposals.impossible) { $1.value($0.index) }
      $0.member("beyond_limit", proposals.beyondLimit)
    }
    return json.bytes
  }
}

extension JSONBody {
  /// A template of ids.
  ///
  /// - Throws: ``ServiceError`` with 422 if it cannot be parsed.
  fileprivate var nameTemplate: NameTemplate {
    get throws {
      let text = try text
      do throws(NameTemplate.ParsingError) { return try NameTemplate(text) } catch {
        throw self.error("This is not a template: \(error).", code: "bad-template")
      }
    }
  }

  /// Words for texts, as an object.
  ///
  /// - Throws: ``ServiceError`` with 422 for a word that an id cannot contain.
  fileprivate var wordList: WordList {
    get throws {
      let words = try members.map { (text: $0.name, word: try $0.body.text) }
      do throws(WordList.InvalidWord) { return try WordList(words) } catch {
        throw JSONBody(.null, at: JSONPointer.member(error.text, of: pointer)).error(
          "This is not a word for an id: \(error.message).", code: "bad-word")
      }
    }
  }
}

import EncircleIdentity
import EncircleRules
import EncircleText

extension RuleFileReader {
  mutating func readClauses(_ node: Node, _ section: RuleSource.Section) -> [RuleClause] {
    if let sequence = node.sequence {
      source?.listedSections.insert(section)
      if sequence.isEmpty { nodes.report("the list of clauses is empty", at: node) }
      return sequence.enumerated().compactMap { readClause($1, section, $0) }
    }
    return readClause(node, section, 0).map { [$0] } ?? []
  }

  mutating func readClause(_ node: Node, _ section: RuleSource.Section, _ number: Int) -> RuleClause? {
    note(.clause(section, number), node)
    if nodes.isNull(node), nodes.document.mistakenValue(node) == nil {
      nodes.report("expected a clause: its keys are indented deeper than the key above them", at: node)
      return nil
    }
    guard let members = nodes.members(of: node, "a clause", allowed: RuleFileKeys.clause, mistaken: .clause) else {
      return nil
    }
    if members.isEmpty {
      nodes.report(
        "the clause is empty and would match every event: expected \(NodeReader.list(RuleFileKeys.clause))", at: node)
      return nil
    }
    var clause = RuleClause()
    clause.style = members["style"].map { readStyle($0, allowsAny: true) } ?? style
    if clause.style != .unstated { file.statesStyles = true }
    if clause.style == .any,
      let element = ["selector", "eventID", "identity", "within"].lazy.compactMap({ members[$0] }).first
    {
      nodes.report(
        "paths and event IDs belong to one style, so a clause with 'style: any' cannot name an element: state the style, "
          + "in a list of clauses one for each", at: element)
    }
    if let event = members["event"] {
      clause.event = noting(.event(section, number), event) { $0.readNameCondition(event, RuleFileKeys.nameTest) }
      note(.event(section, number), event)
    }
    if let page = members["page"] {
      clause.page = noting(.page(section, number), page) { $0.readNameCondition(page, RuleFileKeys.pageTest) }
      note(.page(section, number), page)
    }
    if let selectors = members["selector"] { readSelectors(selectors, section, number, &clause) }
    if let ids = members["eventID"] { readEventIDs(ids, section, number, &clause) }
    if let identities = members["identity"] {
      if members["eventID"] != nil {
        nodes.report("a clause names its element by 'eventID' or by 'identity', not both", at: identities)
      }
      readIdentities(identities, section, number, &clause)
    }
    if let properties = members["where"] { readProperties(properties, section, number, &clause) }
    if let within = members["within"] { readWithin(within, section, number, &clause) }
    if let use = members["use"] { self.use(use, section, number, &clause) }
    if members["style"] != nil, !RuleFileKeys.clause.dropFirst().contains(where: { members.mayHave($0) }) {
      nodes.report(
        "the clause has only a style and would match every event in that style: expected "
          + NodeReader.list(Array(RuleFileKeys.clause.dropFirst())), at: node)
      return nil
    }
    return clause
  }

  private mutating func readSelectors(
    _ node: Node, _ section: RuleSource.Section, _ number: Int, _ clause: inout RuleClause
  ) {
    for node in nodes.oneOrMore(node, "selectors") {
      guard let text = nodes.name(node, "a selector")?.text else { continue }
      for selector in readSelector(text, node, clause.style) {
        note(.selector(section, number, clause.selectors.count), node)
        clause.selectors.append(selector)
      }
    }
  }

  /// Reads a selector. In the styles of web pages it may stand for several selectors; the result is empty, with a report, if it is
  /// not valid.
  ///
  /// A file may leave its style to another file. Then a text that can only be CSS is read as CSS.
  private mutating func readSelector(_ text: String, _ node: Node, _ style: RuleClause.Style) -> [ElementSelector] {
    do throws(SelectorError) {
      let (selectors, needsStyle) = try selectors(text, style)
      // The style of the file is known only after all files have been read.
      if needsStyle { file.styledSelectors.append(StyledSelector(node, nodes.document, style)) }
      return selectors
    } catch {
      nodes.report("in the selector: \(error.message)", at: node, offset: error.offset, suggestion: error.suggestion)
      return []
    }
  }

  /// Returns the selectors of a text. `needsStyle` is true if they use features that only some styles have, such as brackets or texts.
  private func selectors(
    _ text: String, _ style: RuleClause.Style
  ) throws(SelectorError) -> (selectors: [ElementSelector], needsStyle: Bool) {
    let own: PathStyleName? =
      switch style {
      case .only(let own): own
      case .any: nil
      case .unstated: file.style?.value
      }
    if own?.isWeb ?? false { return (try ElementSelector.css(parsing: text), true) }
    do throws(SelectorError) {
      let selector = try ElementSelector(parsing: text, names: names)
      return ([selector], text.containsBytes(of: "[") || selector.hasTexts)
    } catch {
      guard own == nil, style == .unstated, let selectors = try? ElementSelector.css(parsing: text) else { throw error }
      return (selectors, true)
    }
  }

  private mutating func readEventIDs(
    _ node: Node, _ section: RuleSource.Section, _ number: Int, _ clause: inout RuleClause
  ) {
    for node in nodes.oneOrMore(node, "event IDs") {
      guard let text = nodes.name(node, "an event ID")?.text else { continue }
      if let id = EventID(hexadecimal: text) {
        note(.element(section, number, clause.eventIDs.count), node)
        clause.eventIDs.append(ElementReference(eventID: id))
      } else {
        let isPart = text.utf8.count < 64 && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil }
        let isPath = text.utf8.contains(UInt8(ascii: "("))
        let hint =
          isPart
          ? ": this may be the beginning of one, as tables show it"
          : isPath ? ": a path stands under 'selector', an identity under 'identity'" : ""
        nodes.report("expected an event ID of 64 hexadecimal digits\(hint)", at: node)
      }
    }
  }

  private mutating func readIdentities(
    _ node: Node, _ section: RuleSource.Section, _ number: Int, _ clause: inout RuleClause
  ) {
    for node in nodes.oneOrMore(node, "identities") {
      guard let text = nodes.name(node, "an identity string")?.text else { continue }
      if IdentityString(parsing: text) != nil {
        note(.element(section, number, clause.eventIDs.count), node)
        if section == .clauses { ownIdentities.append(nodes.document.placed(UTF8String(text), at: node)) }
        clause.eventIDs.append(ElementReference(identity: text))
      } else {
        nodes.report(
          "expected an identity string of the form path(…)&controller(…); a path alone is a 'selector'", at: node)
      }
    }
  }

  /// Reads the condition on the texts of an element around the event's element: a selector, and tests of texts.
  private mutating func readWithin(
    _ node: Node, _ section: RuleSource.Section, _ number: Int, _ clause: inout RuleClause
  ) {
    guard node.mapping != nil else {
      nodes.report(
        "expected an element around the element and its text, as in within: { selector: ProductCell, says: … }; "
          + "an element that only has to be inside another one is a selector, as in ProductCell/**/UIButton(0)",
        at: node)
      return
    }
    guard let members = nodes.members(of: node, "'within'", allowed: RuleFileKeys.within, mistaken: .within) else {
      return
    }
    for key in RuleFileKeys.within where !members.mayHave(key) && !members.hasExplained {
      nodes.report(
        "'within' has no '\(key)': it names an element around the event's element and a text in it, as in "
          + "{ selector: ProductCell, says: … }", at: node)
    }
    guard let selectorNode = members["selector"], let says = members["says"] else { return }
    guard selectorNode.scalar != nil else {
      nodes.report("'within' has one selector; write alternatives as a list of clauses", at: selectorNode)
      return
    }
    let part = RuleSource.Part.property(section, number, clause.properties.count)
    let condition = noting(part, says) { $0.readNameCondition(says, RuleFileKeys.saysTest, "a text") }
    note(part, selectorNode)
    guard let text = nodes.name(selectorNode, "a selector")?.text else { return }
    guard !readSelector(text, selectorNode, clause.style).isEmpty, let condition else { return }
    clause.properties.append(PropertyTest(.textsWithin(UTF8String(text)), condition.onTextsWithin))
  }

  /// Reads the tests of properties under `where`.
  private mutating func readProperties(
    _ node: Node, _ section: RuleSource.Section, _ number: Int, _ clause: inout RuleClause
  ) {
    guard let mapping = node.mapping else {
      return nodes.reportNoMapping("a mapping from properties to tests", at: node)
    }
    if mapping.isEmpty { nodes.report("'where' is empty", at: node) }
    for (key, value) in mapping {
      let part = RuleSource.Part.property(section, number, clause.properties.count)
      if let cause = nodes.document.keyWithoutColon(key, value) {
        nodes.report(cause, at: key)
        continue
      }
      if key.scalar?.string == "<<", key.scalar?.style == .plain {
        nodes.report(ForeignKeywords.mergeKeys, at: key)
        continue
      }
      if key.scalar?.string == "within", let mapping = value.mapping,
        mapping.contains(where: { $0.key.scalar?.string == "says" })
      {
        nodes.report("'within' belongs to the clause: write it next to 'where', not inside it", at: key)
        continue
      }
      guard let property = nodes.reference(key),
        let condition = noting(part, value, { $0.readCondition(value, RuleFileKeys.test) })
      else { continue }
      note(part, key)
      clause.properties.append(PropertyTest(property, condition))
    }
  }
}

import EncircleIdentity
import EncircleText
import GRDB

extension DictionaryReader {
  /// Loads the dictionary into memory, where a matcher can use it.
  ///
  /// Of elements with the same event ID, only the one that was added first is loaded.
  ///
  /// - Parameters:
  ///   - style: The style of the paths. Elements for which it has no path are omitted.
  ///   - withTexts: True to load the texts of elements, for rules that test them on events with only an event ID. Only in
  ///     `hubbledata` and `hubbledata-android`.
  ///   - withScreens: True to load the texts of all elements, for properties that are read off screens.
  /// - Complexity: O(elements); in styles other than `hubbledata`, O(elements × depth).
  public func load(
    style: PathStyleName = .hubbleData, withTexts: Bool = true, withScreens: Bool = false
  ) throws(DictionaryError) -> ElementDictionary {
    var dictionary = ElementDictionary(style: style, knowsTexts: withTexts, knowsScreens: withScreens)
    if style == .hubbleData {
      try loadTree(into: &dictionary)
    } else {
      try scan { db in
        try loadClasses(into: &dictionary, db)
        try forEach(db) { element in
          if element.styles.contains(style) {
            dictionary.insert(
              element.eventID, chain: element.chain, page: element.page(in: style), text: element.content,
              isTracked: element.type != nil)
          }
        }
      }
    }
    return dictionary
  }

  private func loadClasses(into dictionary: inout ElementDictionary, _ db: Database) throws {
    let classes = try Query(
      db, "SELECT a.text, b.text FROM class JOIN name a ON a.id = class.name JOIN name b ON b.id = class.superclass")
    try classes.forEachRow { dictionary.insertClass(try $0.text(0), superclass: try $0.text(1)) }
    let names = try Query(db, "SELECT text FROM name WHERE id IN (SELECT class FROM facts)")
    try names.forEachRow { dictionary.insertClass(try $0.text(0), superclass: nil) }
  }

  private func loadTree(into dictionary: inout ElementDictionary) throws(DictionaryError) {
    try scan { db in
      var names: [Int: StringID] = [:]
      let nameQuery = try Query(
        db, "SELECT id, text FROM name WHERE id IN (SELECT class FROM facts UNION SELECT page FROM element)")
      try nameQuery.forEachRow { names[try $0.rowNumber(0)] = dictionary.intern(try $0.text(1)) }

      struct Part {
        let className: StringID
        let locator: Locator
      }
      var parts: [Part?] = []
      try Query(db, "SELECT id, class, more FROM facts ORDER BY id").forEachRow { row in
        let id = try row.rowNumber(0)
        let name = try row.rowNumber(1)
        guard let className = names[name], id == parts.count || parts.isEmpty && id == 1,
          let locator = Facts(className: name, more: try row.bytes(2)).locator
        else { throw DictionaryError.damaged("the facts of an element") }
        // Ids are consecutive and start at 1, so place 0 stays empty.
        if parts.isEmpty { parts.append(nil) }
        parts.append(Part(className: className, locator: locator))
      }

      try loadClasses(into: &dictionary, db)

      let count = try Int.fetchOne(db, sql: "SELECT max(id) FROM element") ?? 0
      // The condition is needed: SQLite counts all rows in a single step, which would never end if pages of a damaged file
      // contain each other. Ids are consecutive and start at 1. If a damaged file has others, this would allocate more memory
      // than its rows need.
      guard count == (try Int.fetchOne(db, sql: "SELECT count(*) FROM element WHERE id > 0")), count < 1 << 30 else {
        throw DictionaryError.damaged("the number of elements")
      }
      dictionary.reserve(count)
      // The numbers of nodes, by the ids of elements.
      var nodes = [Int32](repeating: -1, count: count + 1)
      // The numbers of components of paths, by the ids of elements.
      var depths = [UInt16](repeating: 0, count: count + 1)
      // Parsed identities, by the id of the text that follows their path.
      var identities: [Int: IdentityString?] = [:]
      let texts = dictionary.knowsTexts || dictionary.knowsScreens ? ", type, content, rest" : ""
      try Query(db, "SELECT id, above, facts, page, event_id\(texts) FROM element ORDER BY id").forEachRow { row in
        let id = try row.rowNumber(0)
        let above = try row.optionalRowNumber(1)
        let facts = try row.rowNumber(2)
        guard id > 0, id <= count, above.map({ $0 > 0 && $0 < id && nodes[$0] >= 0 }) ?? true,
          parts.indices.contains(facts),
          let part = parts[facts]
        else { throw DictionaryError.damaged("the place of an element") }
        let depth = 1 + (above.map { Int(depths[$0]) } ?? 0)
        guard depth <= Self.maximumDepth else { throw ElementRows.tooDeep }
        depths[id] = UInt16(depth)
        let node = dictionary.appendNode(
          parent: above.map { nodes[$0] } ?? -1, className: part.className, locator: part.locator)
        nodes[id] = node
        let page = try row.optionalRowNumber(3)
        let isNew = dictionary.insert(try row.eventID(4), node, page: page.flatMap { names[$0] })
        if dictionary.knowsScreens, let page, let text = try row.optionalRowNumber(6) {
          dictionary.insertScreenText(try rows.name(text, db), node, page: try rows.name(page, db))
        }
        guard isNew, dictionary.knowsTexts,
          // No event comes from an element that SDKs do not track.
          try row.optionalRowNumber(5) != nil
        else { return }
        let content = try row.optionalRowNumber(6).map { try rows.name($0, db) }
        let rest = try row.rowNumber(7)
        if identities[rest] == nil { identities[rest] = IdentityString(parsing: "path(-" + (try rows.name(rest, db))) }
        dictionary.setTexts(content: content, identities[rest] ?? nil)
      }
    }
  }
}

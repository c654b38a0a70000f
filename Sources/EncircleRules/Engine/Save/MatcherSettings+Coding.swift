import EncircleEvents
import EncircleIdentity
import EncircleText

extension MatcherSettings {
  /// Returns the settings, and the properties of the projection, as bytes; see ``ByteCoding``.
  func encoded(_ references: [PropertyReference]) -> [UInt8] {
    var bytes: [UInt8] = [track == .all ? 1 : 0, excludesDefaultPages ? 1 : 0, readsScreens ? 1 : 0]
    ByteCoding.append(excludedPages.count, to: &bytes)
    for page in excludedPages {
      ByteCoding.append(page.name.text, to: &bytes)
      bytes.append(page.scope == .pageViews ? 1 : 0)
      bytes.append(page.app == nil ? 0 : 1)
      if let app = page.app { ByteCoding.append(app.text, to: &bytes) }
    }
    ByteCoding.append(identity.screenTitle.count, to: &bytes)
    for page in identity.screenTitle {
      for text in [page.name, page.app] {
        bytes.append(text == nil ? 0 : 1)
        if let text { ByteCoding.append(text.text, to: &bytes) }
      }
    }
    ByteCoding.append(classes.count, to: &bytes)
    for (name, superclass) in classes.sorted(by: { $0.key < $1.key }) {
      ByteCoding.append(name.text, to: &bytes)
      ByteCoding.append(superclass.text, to: &bytes)
    }
    ByteCoding.append(EventFields.Field.allCases.count, to: &bytes)
    for field in EventFields.Field.allCases {
      let places = fields.places(of: field)
      ByteCoding.append(places.count, to: &bytes)
      for place in places { ByteCoding.append(place.description, to: &bytes) }
    }
    ByteCoding.append(references.count, to: &bytes)
    for reference in references {
      if case .textsWithin(let selector) = reference {
        bytes.append(1)
        ByteCoding.append(selector.text, to: &bytes)
      } else {
        bytes.append(0)
        ByteCoding.append(reference.description, to: &bytes)
      }
    }
    ByteCoding.append(style.rawValue, to: &bytes)
    return bytes
  }

  /// Reads the output of ``encoded(_:)``.
  static func decode(
    _ bytes: FrozenArray<UInt8>
  ) throws(CompiledRulesError) -> (MatcherSettings, [PropertyReference]) {
    var decoder = ByteCoding.Decoder(bytes: bytes.all)
    var ruleSet = RuleSet()
    func reference(_ decoder: inout ByteCoding.Decoder) -> PropertyReference? {
      decoder.text().flatMap { PropertyReference(parsing: $0) }
    }
    guard let all = decoder.flag(), let excludesDefaultPages = decoder.flag(), let readsScreens = decoder.flag() else {
      throw .damaged
    }
    ruleSet.track = all ? .all : .selected
    ruleSet.excludesDefaultPages = excludesDefaultPages
    let pages = decoder.list { decoder -> ExcludedPage? in
      guard let name = decoder.text(), let isView = decoder.flag(), let hasApp = decoder.flag() else { return nil }
      var page = ExcludedPage(UTF8String(name))
      page.scope = isView ? .pageViews : .all
      guard hasApp else { return page }
      guard let app = decoder.text() else { return nil }
      page.app = UTF8String(app)
      return page
    }
    let titled = decoder.list { decoder -> IdentityOptions.Page? in
      var page = IdentityOptions.Page()
      guard let hasName = decoder.flag() else { return nil }
      if hasName {
        guard let name = decoder.text() else { return nil }
        page.name = UTF8String(name)
      }
      guard let hasApp = decoder.flag() else { return nil }
      if hasApp {
        guard let app = decoder.text() else { return nil }
        page.app = UTF8String(app)
      }
      return page
    }
    let classes = decoder.list { decoder -> (String, String)? in
      guard let name = decoder.text(), let superclass = decoder.text() else { return nil }
      return (name, superclass)
    }
    let fields = decoder.list { $0.list { reference(&$0) } }
    let references = decoder.list { decoder -> PropertyReference? in
      guard let isWithin = decoder.flag() else { return nil }
      return isWithin ? decoder.text().map { .textsWithin(UTF8String($0)) } : reference(&decoder)
    }
    let style = decoder.text().flatMap { PathStyleName(rawValue: $0) }
    guard let pages, let titled, let classes, let fields, let references, let style, decoder.isAtEnd,
      fields.count == EventFields.Field.allCases.count, fields.allSatisfy({ !$0.isEmpty })
    else { throw .damaged }
    ruleSet.excludedPages = pages
    ruleSet.identity.screenTitle = titled
    ruleSet.style = style
    ruleSet.fields = EventFields(style: style)
    for (name, superclass) in classes { ruleSet.classes[UTF8String(name)] = UTF8String(superclass) }
    for (field, places) in zip(EventFields.Field.allCases, fields) { ruleSet.fields.set(field, places) }
    var settings = MatcherSettings(ruleSet)
    settings.readsScreens = readsScreens
    return (settings, references)
  }
}

import EncircleIdentity
import EncircleText

extension SelectionRule {
  /// Replaces the selectors with those that they stand for in a style; see ``ElementSelector/read(in:)``.
  package mutating func readSelectors(in style: PathStyleName) {
    func read(_ clause: RuleClause) -> RuleClause {
      var clause = clause
      clause.selectors = clause.selectors.flatMap { $0.read(in: style) }
      return clause
    }
    clauses = clauses.map(read)
    unless = unless.map(read)
  }
}

extension ElementSelector {
  /// Returns the selectors that this one stands for if its steps are written as a style writes components.
  ///
  /// The `sensors` styles write `Class[3]`, `Class[-]`, `Class[0][3]` and `Class[0][-]`, where `-` is any index or row;
  /// `hubbledata-android` writes `Class[3]` and `Class[0]#id`; `growingio` writes `Section/Class` for a cell, as in an
  /// `xpath`. The number of a cell may be a row or an item: there is a selector for each.
  package func read(in style: PathStyleName) -> [ElementSelector] {
    switch style {
    case .hubbleData, .lede, .postHog: return [self]
    case .sensors, .sensorsExact, .hubbleDataAndroid: return readBrackets(style)
    case .growingIO: return readSections()
    }
  }

  private func readBrackets(_ style: PathStyleName) -> [ElementSelector] {
    var rows = self
    var items = self
    for (i, step) in steps.enumerated() {
      guard case .component(let pattern, nil) = step, let name = pattern.text, name.contains(UInt8(ascii: "[")) else {
        continue
      }
      // The style reads the step as a path of one component; a step that it cannot read is a class name.
      let text = style == .hubbleDataAndroid ? Array("p:".utf8) + name : name
      let path = text.withUnsafeBufferPointer { try? style.style.read($0, vocabulary: nil).first }
      guard let component = path?.components.last, path?.components.count == 1 else { continue }
      var className = component.className
      if let id = component.attributes.resourceID { className += "#" + id }
      let named = pattern.renamed(className)
      switch component.place {
      case .none: continue
      case .anyIndex: rows.steps[i] = .component(named, .index(.any))
      case .cell(let section, let row, _), .groupChild(let section, let row):
        let section = FieldTest(.section, .exactly(section))
        rows.steps[i] = .component(named, .fields([section, FieldTest(.row, .exactly(row))]))
        items.steps[i] = .component(named, .fields([section, FieldTest(.item, .exactly(row))]))
        continue
      case .anyCell(let section, _):
        rows.steps[i] = .component(named, .fields([FieldTest(.section, .exactly(section))]))
      default:
        guard case .index(let index) = component.place.locator else { continue }
        rows.steps[i] = .component(named, .index(.exactly(index)))
      }
      items.steps[i] = rows.steps[i]
    }
    return rows == items ? [rows] : [rows, items]
  }

  private func readSections() -> [ElementSelector] {
    var rows = ElementSelector(isAnchored: isAnchored, steps: [])
    var items = rows
    var i = 0
    while i < steps.count {
      guard i + 1 < steps.count, case .component(.name("Section"), let section) = steps[i],
        case .component(let pattern, let row) = steps[i + 1], section.isIndex, row.isIndex
      else {
        rows.steps.append(steps[i])
        items.steps.append(steps[i])
        i += 1
        continue
      }
      let tests = section.indexTest.map { [FieldTest(.section, $0)] } ?? []
      func cell(_ field: Field) -> Step {
        let all = tests + (row.indexTest.map { [FieldTest(field, $0)] } ?? [])
        return .component(pattern, all.isEmpty ? nil : .fields(all))
      }
      rows.steps.append(cell(.row))
      items.steps.append(cell(.item))
      i += 2
    }
    return rows == items ? [rows] : [rows, items]
  }
}

extension ElementSelector.ClassPattern {
  /// The bytes of the class name or glob; nil for `*`.
  fileprivate var text: [UInt8]? {
    switch self {
    case .any: nil
    case .name(let name), .glob(let name), .kindOf(let name): Array(name.text.utf8)
    }
  }

  fileprivate func renamed(_ name: String) -> ElementSelector.ClassPattern {
    switch self {
    case .any: .any
    case .name: .name(UTF8String(name))
    case .glob: name.utf8.elementsEqual("*".utf8) ? .any : .glob(UTF8String(name))
    case .kindOf: .kindOf(UTF8String(name))
    }
  }
}

extension ElementSelector.LocatorPattern? {
  fileprivate var isIndex: Bool {
    switch self {
    case nil, .index: true
    case .some(.none), .fields: false
    }
  }

  fileprivate var indexTest: ElementSelector.NumberTest? {
    if case .index(let test)? = self { test } else { nil }
  }
}

import EncircleText
import EncircleTree

/// The texts that PostHog sends for elements: titles of buttons and the states of controls, but no typed text.
///
/// Source: posthog-ios 3.69.3, `ph_autocaptureText` and `sanitizeText` in PostHogAutocaptureEventTracker.swift.
struct PostHogTexts: Sendable {
  /// The greatest length of a text, in characters. A longer one is cut off there, and `...` is added.
  static let maximumLength = 255

  private let screen: IdentifiedTree
  private let selectedTitle: AttributeName?
  // The texts of segmented controls and pickers, which need more than the element itself.
  private var composed: [ElementID: String] = [:]

  /// - Complexity: O(elements), and O(*n* log *n*) for *n* segments of one control.
  init(of screen: IdentifiedTree) {
    self.screen = screen
    selectedTitle = screen.tree.attributeName("selectedTitle")
    let pickerRows = screen.tree.attributeName("pickerRows")
    let pickerSelected = screen.tree.attributeName("pickerSelected")
    for element in screen.tree.elements {
      if screen.kinds(of: element).contains(.control), screen.isClass(element, kindOf: "UISegmentedControl") {
        composed[element] = titleOfSelectedSegment(of: element)
      } else if let pickerRows, let rows = screen.tree.value(pickerRows, of: element),
        screen.isClass(element, kindOf: "UIPickerView")
      {
        let selected = pickerSelected.flatMap { screen.tree.value($0, of: element) }
        composed[element] = Self.pickerText(rows, selected: selected ?? "")
      }
    }
  }

  /// Returns the text as the SDK sends it, or nil.
  func text(of element: ElementID) -> String? {
    rawText(of: element).map(Self.sanitized).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the text as the control has it.
  private func rawText(of element: ElementID) -> String? {
    let kinds = screen.kinds(of: element)
    let tree = screen.tree
    guard !holdsTypedText(element, kinds) else { return nil }
    if kinds.contains(.button) {
      if let title = screen.buttonTitle(of: element) { return title }
      if let title = selectedTitle.flatMap({ tree.value($0, of: element) }) { return title }
      // Captures of other tools do not say to which state a button's text belongs.
      return tree.format == .viewTree ? nil : tree.value(.text, of: element)
    }
    if kinds.contains(.switchControl) {
      return screen.knows(.on, element) ? (tree.isTrue(.on, of: element) ? "true" : "false") : nil
    }
    guard kinds.contains(.control) else { return composed[element] }
    if screen.isClass(element, kindOf: "UISlider") {
      guard screen.knows(.value, element) else { return nil }
      return "\(tree.value(.value, of: element).flatMap { Float($0) } ?? 0)"
    }
    if screen.isClass(element, kindOf: "UIStepper") {
      guard screen.knows(.value, element) else { return nil }
      return "\(tree.value(.value, of: element).flatMap { Double($0) } ?? 0)"
    }
    return composed[element]
  }

  /// Returns whether somebody may have typed the element's text. The button of a search bar is not part of its field.
  private func holdsTypedText(_ element: ElementID, _ kinds: ViewKinds) -> Bool {
    guard screen.holdsTypedText(element) else { return false }
    guard kinds.contains(.button), screen.structure.places[element.index].contains(.searchBar) else { return true }
    for view in screen.tree.inclusiveAncestors(of: element) {
      let kinds = screen.kinds(of: view)
      if kinds.contains(.searchBar) { return false }
      if !kinds.isDisjoint(with: .typedText) || screen.tree.isSecure(view) { return true }
    }
    return true
  }

  private func titleOfSelectedSegment(of control: ElementID) -> String? {
    guard let selected = screen.selectedIndex(of: control) else { return nil }
    let segments = screen.segments(in: control)
    return selected < segments.count ? screen.titleOfSegment(segments[selected]) : nil
  }

  /// Returns the titles of the selected rows of a picker. Columns are separated by `|`, their rows by `,`.
  private static func pickerText(_ rows: String, selected: String) -> String {
    let numbers = selected.utf8.split(whereSeparator: isWhiteSpace).map { Int(String(Substring($0))) }
    let columns = rows.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    let titles = zip(columns, numbers).compactMap { column, number -> String? in
      let rows = column.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard let number, rows.indices.contains(number) else { return nil }
      return String(Substring(rows[number]))
    }
    return titles.joined(separator: " ")
  }

  // MARK: - Cleaning up

  /// Returns a text as the SDK cleans it up: trimmed, each run of spaces and line breaks replaced by one space, and at
  /// most 255 characters long. Zero-width characters inside stay, as the SDK's pattern for them matches nothing.
  static func sanitized(_ text: String) -> String {
    // Unlike Unicode's property, `CharacterSet.whitespacesAndNewlines` counts this scalar as white space.
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar.value == 0x200B }
    let all = text.unicodeScalars
    let start = all.firstIndex { !isSpace($0) } ?? all.endIndex
    let last = all.lastIndex { !isSpace($0) }
    var scalars = String.UnicodeScalarView()
    var isInRun = false
    for scalar in all[start..<(last.map { all.index(after: $0) } ?? start)] {
      let isBlank = scalar == " " || scalar == "\r" || scalar == "\n"
      defer { isInRun = isBlank }
      if !isBlank || !isInRun { scalars.append(isBlank ? " " : scalar) }
    }
    let trimmed = String(scalars)
    // The SDK counts characters as Swift does.
    guard let end = trimmed.index(trimmed.startIndex, offsetBy: maximumLength, limitedBy: trimmed.endIndex),
      end < trimmed.endIndex
    else { return trimmed }
    return String(trimmed[..<end]) + "..."
  }
}

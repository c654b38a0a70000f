import EncircleText

/// The contents of a screen's objects, without typed texts.
///
/// The SDK sends the text of a field several times: as the content of the field, as the content of the label in it, and, joined
/// with other texts by `-`, in the content of every view around it. Any text may contain `-`, so a typed text cannot be cut out
/// of a joined content. Instead, the content is joined again from its known parts.
///
/// A part that no listed view has is left out, because it may be the text of an unlisted field, such as one on the page beneath
/// an alert. There is one exception: in a list inside a cell, such as a banner, the part counts as the texts of items beyond
/// the edge, unless somebody has typed it.
struct MaskedContents {
  /// The content for each place of a walk; nil if the view has none, or only typed text.
  private(set) var contents: [String?]
  /// For each view, this is true if the content is the view's own, rather than joined from its subviews.
  private(set) var isOwn: [Bool]
  /// For each view, this is true if it is an input field, or lies in one.
  private(set) var isTyped: [Bool]
  /// For each view, this is true if it contains an input field, or is one.
  private(set) var hasTyped: [Bool]
  /// The states of switches, sliders, steppers and page controls, as far as the surrounding contents show them.
  private(set) var states: [Int: String] = [:]
  /// For each list inside a cell, the texts of items beyond its edge, which come before or after the others.
  private(set) var offscreenTexts: [Int: (text: String, isBefore: Bool)] = [:]
  /// Views of alerts with a text that no listed view has. The text may belong to a field of the alert, because the SDK leaves
  /// out the cells of such fields.
  private(set) var unexplainedInAlerts: [Int] = []
  /// The typed texts. They are also removed from events and titles.
  private(set) var typed = TypedTexts()

  // The greatest length of one joined content, and of all of them together, in bytes.
  private let limit: Int
  private var bytesLeft = 16 << 20

  /// - Parameters:
  ///   - limit: The greatest length of a content, in bytes.
  ///   - earlier: The texts that were typed before.
  /// - Complexity: O(objects + total length of the contents).
  init(
    _ payload: SnapshotPayload, _ walk: ObjectWalk, _ kinds: [ObjectKinds], limit: Int, after earlier: TypedTexts
  ) {
    self.limit = limit
    let count = walk.order.count
    contents = Array(repeating: nil, count: count)
    isOwn = Array(repeating: false, count: count)
    isTyped = Array(repeating: false, count: count)
    hasTyped = Array(repeating: false, count: count)
    var isInBar = Array(repeating: false, count: count)
    var isInCell = isInBar
    var isInAlert = isInBar
    var hasTypedInBar = false
    var found: Set<UTF8String> = []
    for place in 0..<count {
      let object = payload.objects[walk.order[place]]
      let parent = walk.parents[place]
      let views = kinds[place].views
      isTyped[place] = (parent >= 0 && isTyped[parent]) || Self.takesText(object, kinds[place])
      isInBar[place] = (parent >= 0 && isInBar[parent]) || views.contains(.navigationBar)
      isInAlert[place] =
        (parent >= 0 && isInAlert[parent]) || !views.isDisjoint(with: [.alertController, .alertView])
      isInCell[place] =
        (parent >= 0 && isInCell[parent]) || !views.isDisjoint(with: [.tableViewCell, .collectionViewCell])
      if isTyped[place] {
        hasTypedInBar = hasTypedInBar || isInBar[place]
        if let content = object.content { found.insert(UTF8String(content)) }
      }
    }
    typed = TypedTexts(present: found, isInBar: hasTypedInBar, after: earlier)
    var hasUnexplained = Array(repeating: false, count: count)
    for place in (0..<count).reversed() {
      let object = payload.objects[walk.order[place]]
      let children = walk.children(of: place)
      hasTyped[place] = isTyped[place] || children.contains { hasTyped[$0] }
      guard !isTyped[place] else { continue }
      if let whole = object.content, !children.isEmpty { learnStates(of: children, from: whole, payload, walk, kinds) }
      var joined = join(children)
      hasUnexplained[place] = children.contains { hasUnexplained[$0] }
      if isInAlert[place], !hasUnexplained[place], let whole = object.content,
        kinds[place].isContainer || !children.isEmpty,
        !kinds[place].hasOwnText, !isJoined(whole, of: children, payload, walk)
      {
        hasUnexplained[place] = true
        unexplainedInAlerts.append(place)
      }
      if isInCell[place], !isInAlert[place], !hasTyped[place],
        !kinds[place].views.isDisjoint(with: [.tableView, .collectionView]), let whole = object.content,
        let offscreen = offscreenText(of: whole, joined)
      {
        offscreenTexts[place] = offscreen
        joined = whole
      }
      guard let own = object.content, !hasTyped[place] else {
        contents[place] = joined
        continue
      }
      let isFree = children.isEmpty ? !kinds[place].isContainer : kinds[place].hasOwnText || object.isWeb
      let isSelectedSegment = kinds[place].isSegmentedControl && children.contains { contents[$0] == own }
      if isFree || isSelectedSegment {
        contents[place] = own
        isOwn[place] = joined != own || children.isEmpty
      } else {
        contents[place] = joined
      }
    }
  }

  /// Returns whether an object takes typed text. Elements of web pages have the names of their tags.
  private static func takesText(_ object: SnapshotObject, _ kinds: ObjectKinds) -> Bool {
    if object.isWeb {
      let tag = (object.tagName ?? object.className ?? "").lowercased()
      return ["input", "textarea", "select", "option", "keygen"].contains(tag)
    }
    return !kinds.isController && !kinds.views.isDisjoint(with: .typedText)
  }

  /// Joins the contributions of views, up to the limit of a text.
  private mutating func join(_ children: [Int]) -> String? {
    var parts: [String] = []
    var length = 0
    for child in children where length < min(limit, bytesLeft) {
      guard let part = contents[child] ?? states[child], !part.isEmpty else { continue }
      parts.append(part)
      length += part.utf8.count + 1
    }
    guard parts.count > 1 else { return parts.first }
    bytesLeft -= min(length, limit)
    guard bytesLeft > 0 else { return nil }
    return parts.joined(separator: "-").beginning(bytes: limit)
  }

  /// Returns whether a content is joined from the contents of views.
  private mutating func isJoined(
    _ whole: String, of children: [Int], _ payload: SnapshotPayload, _ walk: ObjectWalk
  ) -> Bool {
    guard bytesLeft > 0 else { return false }
    bytesLeft -= whole.utf8.count
    let parts = children.compactMap { payload.objects[walk.order[$0]].content ?? states[$0] }
    return parts.joined(separator: "-").hasSameBytes(as: whole)
  }

  /// Returns the part of a list's content that none of its cells has; nil if there is no such part, or somebody has typed it.
  private func offscreenText(of whole: String, _ joined: String?) -> (text: String, isBefore: Bool)? {
    guard let joined, whole.utf8.count < limit, !typed.isIn(whole) else { return nil }
    let count = whole.utf8.count - joined.utf8.count - 1
    guard count > 0 else { return nil }
    if whole.utf8.starts(with: (joined + "-").utf8) { return (String(Substring(whole.utf8.suffix(count))), false) }
    let isEnd = whole.utf8.dropFirst(count).elementsEqual(("-" + joined).utf8)
    return isEnd ? (String(Substring(whole.utf8.prefix(count))), true) : nil
  }

  /// Finds the states of controls without a content, as the content of the view around them shows them. A state counts only if
  /// all parts together are exactly that content, and the state has the form of its control.
  private mutating func learnStates(
    of children: [Int], from whole: String, _ payload: SnapshotPayload, _ walk: ObjectWalk, _ kinds: [ObjectKinds]
  ) {
    guard children.contains(where: { kinds[$0].state != nil && payload.objects[walk.order[$0]].content == nil }) else {
      return
    }
    var rest = Substring(whole)
    var found: [Int: String] = [:]
    var isFirst = true
    for child in children {
      let content = payload.objects[walk.order[child]].content
      guard content != nil || kinds[child].state != nil else { continue }
      if !isFirst {
        guard rest.utf8.first == UInt8(ascii: "-") else { return }
        rest = Substring(rest.utf8.dropFirst())
      }
      isFirst = false
      if let content {
        guard rest.utf8.starts(with: content.utf8) else { return }
        rest = Substring(rest.utf8.dropFirst(content.utf8.count))
      } else if let state = kinds[child].state {
        guard let text = Self.state(state, at: rest) else { return }
        rest = Substring(rest.utf8.dropFirst(text.utf8.count))
        found[child] = String(text)
      }
    }
    if rest.isEmpty { states.merge(found) { $1 } }
  }

  private static func state(_ state: ObjectKinds.State, at text: Substring) -> Substring? {
    switch state {
    case .toggle:
      return ["checked", "unchecked"].first { text.utf8.starts(with: $0.utf8) }.map { $0[...] }
    case .number:
      let sign = text.utf8.first == UInt8(ascii: "-") ? 1 : 0
      let digits = text.utf8.dropFirst(sign).prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
      let end = digits.endIndex
      return digits.isEmpty || Double(text[..<end]) == nil ? nil : text[..<end]
    }
  }
}

import EncircleText
import EncircleTree

/// The events of Sensors Analytics for Android.
///
/// Source: sa-sdk-android 6.8.5, AppClickTrackImpl.java, AopUtil.java, SAViewUtils.java and KeyboardViewUtil.java.
struct SensorsAndroidTaps: Sendable {
  let android: AndroidScreen
  let contents: SensorsAndroidContents
  // The topmost radio button of each activity's window with a resource id, as the SDK looks it up.
  private var radioButtons: [Key: ElementID] = [:]
  // The children of each alert's list.
  private var alertRows: [ElementID: [ElementID]] = [:]

  private struct Key: Hashable {
    let window: Int32
    let identifier: StringID
  }

  init(_ android: AndroidScreen) {
    self.android = android
    contents = SensorsAndroidContents(android)
    let tree = android.tree
    for element in tree.elements {
      if let list = tree.parent(of: element), alertRows[list] != nil || android.isAlertList(list) {
        alertRows[list, default: []].append(element)
      }
      guard let id = tree.valueID(.identifier, of: element) else { continue }
      let key = Key(window: android.windows[element.index], identifier: id)
      if radioButtons[key] == nil { radioButtons[key] = element }
    }
  }

  func tap(on element: ElementID) -> AndroidTap {
    let callback = android.callback(of: element)
    var tap = AndroidTap()
    tap.pathElement = element
    tap.selector = selector(of: element)
    tap.isTracked = isTracked(element)
    setPage(&tap, of: element)
    tap.elementType = type(of: element)
    tap.resourceID = resourceID(of: element)
    tap.content = contents.content(of: element)
    guard let callback, tap.isTracked else { return tap }
    let parent = android.tree.parent(of: element)
    switch callback {
    case .itemClick, .itemSelected:
      tap.elementType = parent.flatMap(listType)
      tap.resourceID = parent.flatMap(resourceID)
    case .groupClick, .childClick:
      tap.elementType = "ExpandableListView"
      tap.resourceID = parent.flatMap(resourceID)
      if let parent { setPage(&tap, of: parent) }
      tap.content = contents.joined(element)
    case .tab: setTab(&tap, element)
    case .radioGroup: setRadioButton(&tap, element, group: parent)
    case .alertButton, .alertRow: setAlert(&tap, element, isRow: callback == .alertRow)
    case .menuItem: setMenuItem(&tap, element)
    case .click, .checkedChange, .rating, .seek, .slider, .focusChange: break
    }
    return tap
  }

  // MARK: - Single kinds of events

  private func listType(_ list: ElementID) -> String? {
    let kinds = android.kinds(of: list)
    if kinds.contains(.listView) { return "ListView" }
    if kinds.contains(.gridView) { return "GridView" }
    return kinds.contains(.spinner) ? "Spinner" : nil
  }

  private func setTab(_ tap: inout AndroidTap, _ element: ElementID) {
    tap.elementType = "TabLayout"
    let layout = tabLayout(around: element)
    if let layout { setPage(&tap, of: layout) }
    let custom = contents.customView(of: element)
    let hasID = custom.map { android.tree.value(.identifier, of: $0) != nil } ?? false
    tap.resourceID = (hasID ? custom : layout).flatMap { android.resourceID(of: $0) }
    let text = custom.flatMap { contents.joined($0) }
    tap.content = text ?? android.tree.value(.title, of: element)
  }

  private func tabLayout(around element: ElementID) -> ElementID? {
    android.tree.ancestors(of: element).first { android.kinds(of: $0).contains(.tabLayout) }
  }

  /// Sets the chosen button as the SDK finds it: by its resource id in the activity's window, so it may find a different button.
  private func setRadioButton(_ tap: inout AndroidTap, _ element: ElementID, group: ElementID?) {
    tap.resourceID = group.flatMap(resourceID)
    tap.content = nil
    tap.pathElement = nil
    guard let id = android.tree.valueID(.identifier, of: element), let activity = android.activity(of: element),
      let found = radioButtons[Key(window: android.windows[activity.index], identifier: id)],
      android.kinds(of: found).contains(.radioButton)
    else { return }
    tap.content = android.holdsTypedText(found) ? nil : android.tree.value(.text, of: found)
    tap.pathElement = found
  }

  private func setAlert(_ tap: inout AndroidTap, _ element: ElementID, isRow: Bool) {
    let window = ElementID(rawValue: android.windows[element.index])
    tap.elementType = "Dialog"
    tap.page = SensorsAndroidStyle.page(activity: android.controller(android.activity(of: element)), fragment: nil)
    tap.resourceID = android.value(android.attributes.sensorsViewID, window).flatMap { $0.isEmpty ? nil : $0 }
    tap.content = android.holdsTypedText(element) ? nil : android.tree.value(.text, of: element)
    guard isRow else { return }
    // The SDK takes the child whose number is the row's position. Once the list has been scrolled, that is a different view.
    guard case .row(let row, _) = android.place(of: element), let list = android.tree.parent(of: element) else {
      return
    }
    let rows = alertRows[list] ?? []
    tap.pathElement = rows.indices.contains(row) ? rows[row] : nil
  }

  /// The SDK finds the views of items in popup menus and bottom navigation bars, but not of items in toolbars and drawers. For
  /// items in drawers it does not even know the page.
  private func setMenuItem(_ tap: inout AndroidTap, _ element: ElementID) {
    let item = android.value(android.attributes.menuItem, element) ?? ""
    tap.elementType = "MenuItem"
    tap.resourceID = AndroidScreen.entry(item)
    tap.content = android.tree.value(.title, of: element)
    if tap.content?.isEmpty ?? false { tap.content = contents.content(of: element) }
    if !android.kinds(of: element).isDisjoint(with: [.listMenuItem, .bottomNavigationItem]) { return }
    tap.pathElement = nil
    tap.page = SensorsAndroidStyle.page(activity: android.controller(android.activity(of: element)), fragment: nil)
    let isDrawer = android.androidClass(of: element).lineage.contains {
      $0.endsWithBytes(of: ".NavigationMenuItemView")
    }
    if isDrawer { (tap.page, tap.title, tap.resourceID) = (nil, nil, nil) }
  }

  // MARK: - Whether there is an event

  func isTracked(_ element: ElementID) -> Bool { android.callback(of: element).map { isTracked(element, $0) } ?? false }

  private func isTracked(_ element: ElementID, _ callback: AndroidCallback) -> Bool {
    let parent = android.tree.parent(of: element)
    switch callback {
    case .slider, .focusChange: return false
    case .groupClick, .alertButton, .alertRow, .menuItem: return true
    case .radioGroup:
      guard android.tree.value(.identifier, of: element) != nil else { return false }
      return !(parent.map(contents.isIgnored) ?? false)
    case .tab:
      // A resource id that was generated at run time has no name, and asking Android for it makes the SDK stop handling the event.
      let owner =
        contents.customView(of: element).flatMap { hasIdentifier($0) ? $0 : nil } ?? tabLayout(around: element)
      return owner.map { !hasIdentifier($0) || android.resourceID(of: $0) != nil } ?? true
    case .itemClick, .itemSelected:
      if parent.map(contents.isIgnored) ?? false { return false }
    case .click, .childClick, .checkedChange, .rating, .seek: break
    }
    return !contents.isIgnored(element) && !(callback.mayBeKey && isKey(element))
  }

  private func hasIdentifier(_ element: ElementID) -> Bool { android.tree.value(.identifier, of: element) != nil }

  /// Returns whether the SDK takes an element for a key of a keypad: the element and another one next to it or in a neighbouring
  /// row have contents of one letter or digit.
  private func isKey(_ element: ElementID) -> Bool {
    let tree = android.tree
    guard isKeyLike(element), let row = tree.parent(of: element) else { return false }
    if hasKey(in: row, but: element) { return true }
    guard let pad = tree.parent(of: row) else { return false }
    return tree.children(of: pad).contains { view in
      view != row && (android.kinds(of: view).contains(.viewGroup) ? hasKey(in: view, but: nil) : isKeyLike(view))
    }
  }

  private func hasKey(in group: ElementID, but element: ElementID?) -> Bool {
    android.tree.children(of: group).contains { $0 != element && isKeyLike($0) }
  }

  private func isKeyLike(_ element: ElementID) -> Bool { contents.keys.contains(element) }

  // MARK: - Fields

  private func setPage(_ tap: inout AndroidTap, of element: ElementID) {
    tap.page = SensorsAndroidStyle.page(
      activity: android.controller(android.activity(of: element)),
      fragment: android.controller(android.fragment(around: element)))
    tap.title = android.title(of: element)
  }

  /// Returns `$element_id` of a view: the id that the developer gave it for the SDK, else the name of its resource id.
  private func resourceID(of element: ElementID) -> String? {
    if let id = android.value(android.attributes.sensorsViewID, element), !id.isEmpty { return id }
    return android.resourceID(of: element)
  }

  /// Returns `$element_selector`: classes and indexes from below the root of the window.
  private func selector(of element: ElementID) -> String {
    var steps: [String] = []
    var current = element
    while let parent = android.tree.parent(of: current) {
      let known = android.androidClass(of: current)
      // The SDK asks Java for the names of the views around, and Java has none for an anonymous class.
      let name = known.isAnonymous && current != element ? "null" : known.canonicalName
      steps.append("\(name)[\(android.kindIndexes[current.index])]")
      current = parent
    }
    return steps.reversed().joined(separator: "/")
  }

  /// Returns `$element_type` of a view: a short name if the class is one of Android's own, else the class.
  private func type(of element: ElementID) -> String {
    let name = android.androidClass(of: element).canonicalName
    let kinds = android.kinds(of: element)
    guard let (_, short) = Self.types.first(where: { kinds.contains($0.0) }), !short.isEmpty else { return name }
    let isOwn = Self.packages.contains { name.utf8.starts(with: $0.utf8) }
    return isOwn ? short : name
  }

  private static let types: [(AndroidKinds, String)] = [
    (.checkBox, "CheckBox"), (.radioButton, "RadioButton"), (.toggleButton, "ToggleButton"),
    (.platformSwitch, "Switch"), (.switchCompat, "SwitchCompat"),
    // Other compound buttons have no short name.
    (.compoundButton, ""), (.button, "Button"), (.checkedTextView, "CheckedTextView"), (.textView, "TextView"),
    (.imageView, "ImageView"), (.ratingBar, "RatingBar"), (.seekBar, "SeekBar"), (.spinner, "Spinner"),
    (.tab, "TabLayout"), (.cardView, "CardView"), (.navigationView, "NavigationView"),
  ]

  private static let packages = [
    "android.widget", "android.support.v7.widget", "android.support.design.widget", "android.support.text.emoji.widget",
    "androidx.appcompat.widget", "androidx.emoji.widget", "androidx.cardview.widget", "com.google.android.material",
  ]
}

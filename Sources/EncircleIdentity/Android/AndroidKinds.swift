import EncircleText
import EncircleTree

/// The kinds of Android views that determine the paths, types and contents that SDKs for Android send.
struct AndroidKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  private init(bit: Int) { rawValue = 1 << bit }

  static let viewGroup = AndroidKinds(bit: 0)
  static let adapterView = AndroidKinds(bit: 1)
  static let listView = AndroidKinds(bit: 2)
  static let gridView = AndroidKinds(bit: 3)
  static let expandableList = AndroidKinds(bit: 4)
  static let spinner = AndroidKinds(bit: 5)
  static let recyclerView = AndroidKinds(bit: 6)
  static let viewPager = AndroidKinds(bit: 7)
  static let refreshLayout = AndroidKinds(bit: 8)
  static let textView = AndroidKinds(bit: 9)
  static let editText = AndroidKinds(bit: 10)
  static let button = AndroidKinds(bit: 11)
  static let compoundButton = AndroidKinds(bit: 12)
  static let checkBox = AndroidKinds(bit: 13)
  static let radioButton = AndroidKinds(bit: 14)
  static let toggleButton = AndroidKinds(bit: 15)
  static let platformSwitch = AndroidKinds(bit: 16)
  static let switchCompat = AndroidKinds(bit: 17)
  static let checkedTextView = AndroidKinds(bit: 18)
  static let imageView = AndroidKinds(bit: 19)
  static let progressBar = AndroidKinds(bit: 20)
  static let ratingBar = AndroidKinds(bit: 21)
  static let seekBar = AndroidKinds(bit: 22)
  static let slider = AndroidKinds(bit: 23)
  static let radioGroup = AndroidKinds(bit: 24)
  static let tab = AndroidKinds(bit: 25)
  static let tabLayout = AndroidKinds(bit: 26)
  static let bottomNavigationItem = AndroidKinds(bit: 27)
  static let listMenuItem = AndroidKinds(bit: 28)
  static let navigationView = AndroidKinds(bit: 29)
  static let cardView = AndroidKinds(bit: 30)
  /// The layout of an alert of AndroidX or of the support library.
  static let libraryAlert = AndroidKinds(bit: 31)
  /// The root of a window.
  static let decorView = AndroidKinds(bit: 32)

  /// Lists whose children are rows.
  static let lists: AndroidKinds = [.adapterView, .recyclerView, .viewPager]

  private static let byClass: [UTF8String: AndroidKinds] = {
    let rows: [(AndroidKinds, [String])] = [
      (.viewGroup, ["android.view.ViewGroup"]), (.adapterView, ["android.widget.AdapterView"]),
      (.listView, ["android.widget.ListView"]), (.gridView, ["android.widget.GridView"]),
      (.expandableList, ["android.widget.ExpandableListView"]), (.spinner, ["android.widget.Spinner"]),
      (.recyclerView, ["androidx.recyclerview.widget.RecyclerView", "android.support.v7.widget.RecyclerView"]),
      (.viewPager, ["androidx.viewpager.widget.ViewPager", "android.support.v4.view.ViewPager"]),
      (
        .refreshLayout,
        ["androidx.swiperefreshlayout.widget.SwipeRefreshLayout", "android.support.v4.widget.SwipeRefreshLayout"]
      ),
      (.textView, ["android.widget.TextView"]), (.editText, ["android.widget.EditText"]),
      (.button, ["android.widget.Button"]), (.compoundButton, ["android.widget.CompoundButton"]),
      (.checkBox, ["android.widget.CheckBox"]), (.radioButton, ["android.widget.RadioButton"]),
      (.toggleButton, ["android.widget.ToggleButton"]), (.platformSwitch, ["android.widget.Switch"]),
      (.switchCompat, ["androidx.appcompat.widget.SwitchCompat", "android.support.v7.widget.SwitchCompat"]),
      (.checkedTextView, ["android.widget.CheckedTextView"]), (.imageView, ["android.widget.ImageView"]),
      (.progressBar, ["android.widget.ProgressBar"]), (.ratingBar, ["android.widget.RatingBar"]),
      (.seekBar, ["android.widget.SeekBar"]), (.slider, ["com.google.android.material.slider.BaseSlider"]),
      (.radioGroup, ["android.widget.RadioGroup"]),
      (
        .tab,
        ["com.google.android.material.tabs.TabLayout$TabView", "android.support.design.widget.TabLayout$TabView"]
      ),
      (.tabLayout, ["com.google.android.material.tabs.TabLayout", "android.support.design.widget.TabLayout"]),
      (
        .bottomNavigationItem, ["com.google.android.material.bottomnavigation.BottomNavigationItemView"]
      ),
      (
        .listMenuItem,
        [
          "androidx.appcompat.view.menu.ListMenuItemView", "android.support.v7.view.menu.ListMenuItemView",
          "com.android.internal.view.menu.ListMenuItemView",
        ]
      ),
      (
        .navigationView,
        [
          "com.google.android.material.navigation.NavigationView", "android.support.design.widget.NavigationView",
        ]
      ),
      (.cardView, ["androidx.cardview.widget.CardView", "android.support.v7.widget.CardView"]),
      (
        .libraryAlert,
        [
          "androidx.appcompat.widget.AlertDialogLayout", "androidx.appcompat.widget.ButtonBarLayout",
          "android.support.v7.widget.AlertDialogLayout", "android.support.v7.widget.ButtonBarLayout",
        ]
      ),
      (
        .decorView,
        [
          "com.android.internal.policy.DecorView", "com.android.internal.policy.PhoneWindow$DecorView",
          "com.android.internal.policy.impl.PhoneWindow$DecorView", "android.widget.PopupWindow$PopupDecorView",
          "android.widget.PopupWindow$PopupViewContainer",
        ]
      ),
    ]
    var result: [UTF8String: AndroidKinds] = [:]
    for (kind, names) in rows { for name in names { result[UTF8String(name), default: []].insert(kind) } }
    return result
  }()

  /// Returns the kinds of a class and of its superclasses in the built-in tables.
  static func ofBuiltIn(_ className: String) -> AndroidKinds {
    ClassHierarchy.builtIn.superclasses(of: className).reduce(byClass[UTF8String(className)] ?? []) {
      $0.union(byClass[UTF8String($1)] ?? [])
    }
  }
}

/// An Android class with the facts that follow from its superclasses.
struct AndroidClass: Sendable {
  /// The name as Java's `getCanonicalName` gives it.
  let canonicalName: String
  /// The name as Java's `getSimpleName` gives it, `Anonymous` if that is empty.
  let simpleName: String
  let isAnonymous: Bool
  /// The canonical names of the class and of its superclasses, nearest first.
  let lineage: [String]
  let kinds: AndroidKinds

  /// - Parameter superclasses: The superclasses that the capture names, separated by white space.
  init(_ name: String, superclasses: String?) {
    let names = AndroidName(name)
    canonicalName = names.canonical
    simpleName = names.simple
    isAnonymous = names.isAnonymous
    var kinds: AndroidKinds = []
    var lineage: [String] = []
    var seen: Set<UTF8String> = []
    func look(at name: String) {
      guard seen.insert(UTF8String(name)).inserted else { return }
      lineage.append(AndroidName(name).canonical)
    }
    func lookUp(_ name: String) {
      kinds.formUnion(.ofBuiltIn(name))
      look(at: name)
      for superclass in ClassHierarchy.builtIn.superclasses(of: name) { look(at: superclass) }
    }
    lookUp(name)
    for word in superclasses?.utf8.split(whereSeparator: isWhiteSpace) ?? [] { lookUp(String(Substring(word))) }
    self.lineage = lineage
    self.kinds = kinds
  }
}

/// The names of a class in Java, made from its name in the virtual machine.
///
/// Inner classes have `$` between the name of the enclosing class and their own name; an anonymous class has a number there.
struct AndroidName {
  private let name: String
  private let isInner: Bool

  init(_ name: String) {
    self.name = name
    // Most classes are not inner ones, and paths have a name for each ancestor.
    isInner =
      UTF8String(name).withUTF8 { $0.contains(UInt8(ascii: "$")) } && Self.parts(of: name).allSatisfy { !$0.isEmpty }
  }

  /// `a.b.Outer.Inner` for `a.b.Outer$Inner`; `Anonymous` for an anonymous or local class, which has none.
  var canonical: String {
    guard isInner else { return name }
    return isAnonymous ? "Anonymous" : Self.parts(of: name).map { String(Substring($0)) }.joined(separator: ".")
  }

  /// `Inner` for `a.b.Outer$Inner`; `Anonymous` for an anonymous class.
  var simple: String {
    guard isInner, let last = Self.parts(of: name).last else { return Self.afterPackage(name) }
    // A local class has a number before its name.
    let own = last.drop(while: isDigit)
    return own.isEmpty ? "Anonymous" : Self.afterPackage(String(Substring(own)))
  }

  var isAnonymous: Bool {
    isInner && Self.parts(of: name).dropFirst().contains { $0.first.map(isDigit) ?? false }
  }

  private static func parts(of name: String) -> [Substring.UTF8View] {
    name.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
  }

  private static func afterPackage(_ name: String) -> String {
    UTF8String(name).withUTF8 { bytes in
      guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot + 1 < bytes.count else { return name }
      return String(decoding: bytes[(dot + 1)...], as: UTF8.self)
    }
  }
}

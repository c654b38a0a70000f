import Testing

@testable import EncircleTree

@Suite struct ClassHierarchyTests {
  private static func text(_ table: String) -> String {
    (table == "UIKit" ? ClassHierarchy.uiKit : ClassHierarchy.android).description
  }

  /// The classes of a table in order, each with its superclass.
  private static func rows(_ table: String) -> [(name: String, superclass: String?)] {
    var open: [(indentation: Int, name: String)] = []
    var rows: [(name: String, superclass: String?)] = []
    for line in text(table).split(separator: "\n") {
      let indentation = line.prefix { $0 == " " }.count
      let name = String(line.dropFirst(indentation).prefix { $0 != " " && $0 != "#" })
      guard !name.isEmpty else { continue }
      while let last = open.last, last.indentation >= indentation { open.removeLast() }
      rows.append((name, open.last?.name))
      open.append((indentation, name))
    }
    return rows
  }

  @Test(
    "every class of the tables has its place once, below a root",
    arguments: [
      ("UIKit", ["UIResponder"]),
      (
        "Android",
        [
          "android.view.View", "android.app.Activity", "android.app.Fragment", "android.support.v4.app.Fragment",
          "androidx.fragment.app.Fragment",
        ]
      ),
    ])
  func tables(table: String, roots: [String]) {
    let rows = Self.rows(table)
    #expect(rows.count > 200)
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(rows.filter { $0.superclass == nil }.map(\.name) == roots)
    let superclasses = Dictionary(rows.map { ($0.name, $0.superclass) }) { first, _ in first }
    for row in rows {
      var expected: [String] = []
      var name = row.superclass
      while let current = name {
        expected.append(current)
        name = superclasses[current] ?? nil
      }
      #expect(ClassHierarchy.builtIn.superclasses(of: row.name) == expected)
      #expect(roots.count { ClassHierarchy.builtIn.isClass(row.name, kindOf: $0) } == 1)
    }
  }

  @Test("tables indent by two spaces a level and have no tabs", arguments: ["UIKit", "Android"])
  func indentation(table: String) {
    var level = 0
    for (i, line) in Self.text(table).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let name = line.drop { $0 == " " }
      guard !name.isEmpty, !name.hasPrefix("#") else { continue }
      let indentation = line.count - name.count
      #expect(indentation % 2 == 0 && indentation <= level + 2 && !line.contains("\t"), "line \(i + 1): \(line)")
      level = indentation
    }
  }

  @Test("no class is in both tables")
  func disjoint() {
    let names = Set(Self.rows("UIKit").map(\.name))
    #expect(Self.rows("Android").filter { names.contains($0.name) }.isEmpty)
  }

  @Test(
    "a class is a kind of itself and of its superclasses",
    arguments: [
      ("UIButton", "UIControl"), ("UIButton", "UIView"), ("UIButton", "UIResponder"), ("UIButton", "UIButton"),
      ("UITableView", "UIScrollView"), ("UICollectionViewCell", "UICollectionReusableView"),
      ("_UIQueuingScrollView", "UIScrollView"), ("UISearchTextField", "UITextField"),
      ("_UIAlertControllerCollectionViewCell", "UICollectionViewCell"),
      ("UITableViewController", "UIViewController"), ("UIAlertController", "UIViewController"),
      ("android.widget.EditText", "android.widget.TextView"),
      ("android.widget.Switch", "android.widget.CompoundButton"),
      ("android.widget.ListView", "android.widget.AbsListView"), ("Unheard", "Unheard"),
    ])
  func kindOf(name: String, base: String) {
    #expect(ClassHierarchy.builtIn.isClass(name, kindOf: base))
  }

  @Test(
    "a class is no kind of its subclasses, its siblings or strangers",
    arguments: [
      ("UIView", "UIButton"), ("UIButton", "UISwitch"), ("UIView", "UIViewController"), ("Unheard", "UIView"),
      ("UIView", "Unheard"), ("android.view.View", "UIView"), ("UITextView", "UITextField"), ("uiview", "UIView"),
      ("UIView ", "UIView"), ("", "UIView"),
    ])
  func notKindOf(name: String, base: String) {
    #expect(!ClassHierarchy.builtIn.isClass(name, kindOf: base))
  }

  private static let shortNames: ClassHierarchy = {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add("com.example.Switch", superclass: "android.widget.Switch")
    hierarchy.add("com.example.Spinner", superclass: "android.view.View")
    hierarchy.insertShortNames()
    return hierarchy
  }()

  @Test(
    "a short name of an Android class has the kinds shared by all classes with this name",
    arguments: [
      ("Button", "android.widget.Button", true), ("android.widget.Button", "Button", true),
      ("MaterialButton", "android.widget.Button", true), ("MaterialButton", "Button", true),
      ("Button", "AppCompatButton", false), ("TextView", "Button", false), ("View", "android.view.View", true),
      // Of AndroidX and of the support library, with the same superclass.
      ("AppCompatButton", "Button", true), ("AppCompatButton", "android.widget.Button", true),
      ("MaterialButton", "AppCompatButton", true),
      ("android.support.v7.widget.AppCompatButton", "AppCompatButton", true),
      ("AppCompatButton", "androidx.appcompat.widget.AppCompatButton", false),
      // With other superclasses.
      ("SearchView", "android.view.ViewGroup", true), ("SearchView", "android.widget.LinearLayout", false),
      ("android.widget.SearchView", "SearchView", false), ("Fragment", "androidx.fragment.app.Fragment", false),
      // One of them is the superclass of the other.
      ("ComponentActivity", "androidx.core.app.ComponentActivity", true),
      ("ComponentActivity", "androidx.activity.ComponentActivity", false),
      ("Switch", "android.widget.Switch", true), ("com.example.Switch", "Switch", true),
      ("Switch", "com.example.Switch", false), ("Spinner", "android.view.View", true),
      ("Spinner", "android.widget.Spinner", false), ("AppCompatSpinner", "android.widget.Spinner", true),
    ])
  func shortName(name: String, base: String, isKind: Bool) {
    #expect(Self.shortNames.isClass(name, kindOf: base) == isKind)
    var found: Set<String> = []
    Self.shortNames.forEachClass(kindOfAny: [base]) { found.insert($0) }
    #expect(found.contains(name) == isKind)
  }

  @Test("a short name shared by several classes is not a class")
  func sharedName() {
    #expect(Self.shortNames.contains("Button") && Self.shortNames.contains("ComponentActivity"))
    #expect(!Self.shortNames.contains("AppCompatButton") && !Self.shortNames.contains("SearchView"))
  }

  @Test("an app's classes can be added, and no class becomes its own superclass")
  func adding() {
    var hierarchy = ClassHierarchy.builtIn
    let isAdded = [
      hierarchy.add("CartButton", superclass: "UIButton"), hierarchy.add("BigCartButton", superclass: "CartButton"),
      hierarchy.add("CartButton", superclass: "BigCartButton"), hierarchy.add("CartButton", superclass: "CartButton"),
    ]
    #expect(isAdded == [true, true, false, false])
    #expect(hierarchy.isClass("BigCartButton", kindOf: "UIControl"))
    #expect(hierarchy.superclasses(of: "BigCartButton").prefix(2) == ["CartButton", "UIButton"])
    hierarchy.add("CartButton", superclass: "UISwitch")
    #expect(hierarchy.superclasses(of: "BigCartButton").prefix(2) == ["CartButton", "UISwitch"])
    #expect(!ClassHierarchy.builtIn.contains("CartButton"))
  }

  @Test("a class has at most 128 superclasses, in whatever order they are added")
  func depth() {
    let classes = (0...200).map { "C\($0)" }
    var upwards = ClassHierarchy()
    for (name, superclass) in zip(classes, classes.dropFirst()) { upwards.add(name, superclass: superclass) }
    #expect(upwards.superclasses(of: "C0").count == 128)
    var downwards = ClassHierarchy()
    for (name, superclass) in zip(classes, classes.dropFirst()).reversed() {
      downwards.add(name, superclass: superclass)
    }
    #expect(downwards.superclasses(of: "C72").count == 128)
    #expect(downwards.superclasses(of: "C71").isEmpty)
    var pieces = ClassHierarchy()
    for i in stride(from: 0, to: 200, by: 2) { pieces.add(classes[i], superclass: classes[i + 1]) }
    for i in stride(from: 1, to: 200, by: 2) { pieces.add(classes[i], superclass: classes[i + 1]) }
    #expect(classes.allSatisfy { pieces.superclasses(of: $0).count <= 128 })
  }

  @Test("é composed and decomposed are two classes")
  func bytes() {
    var hierarchy = ClassHierarchy()
    hierarchy.add("Caf\u{E9}", superclass: "UIView")
    #expect(hierarchy.isClass("Caf\u{E9}", kindOf: "UIView"))
    #expect(!hierarchy.isClass("Cafe\u{301}", kindOf: "UIView"))
    #expect(!hierarchy.isClass("Caf\u{E9}", kindOf: "Cafe\u{301}"))
  }
}

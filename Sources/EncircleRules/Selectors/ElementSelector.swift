import EncircleText

/// A pattern over element paths. It always ends at the element itself.
///
/// ```swift
/// let selector = try ElementSelector(parsing: "UITableView/ProductCell(section:0 row:*)/UIButton(1)")
/// ```
public struct ElementSelector: Hashable, Sendable {
  /// This is true if the pattern begins at the window rather than at any depth.
  public var isAnchored: Bool
  /// The steps, outermost first; not empty.
  public var steps: [Step]
  /// This is true if the selector is in CSS notation, as in the web styles: `#cart > button`.
  public var isCSS: Bool

  /// Creates a selector.
  public init(isAnchored: Bool, steps: [Step], isCSS: Bool = false) {
    self.isAnchored = isAnchored
    self.steps = steps
    self.isCSS = isCSS
  }

  /// A pattern for components of a path.
  public enum Step: Hashable, Sendable {
    /// `**`: any number of components, also none.
    case recursiveWildcard
    /// Exactly one component; without a locator pattern its locator does not matter.
    case component(ClassPattern, LocatorPattern?)
  }

  /// A pattern for the class of a component.
  public enum ClassPattern: Hashable, Sendable {
    /// `*`
    case any
    /// Exactly that class.
    case name(UTF8String)
    /// A name in which each `*` stands for any run of characters.
    case glob(UTF8String)
    /// The class or any of its subclasses.
    case kindOf(UTF8String)
  }

  /// A pattern for the locator of a component.
  public enum LocatorPattern: Hashable, Sendable {
    /// `()`: no locator.
    case none
    /// An index that passes the test.
    case index(NumberTest)
    /// A locator that has all these fields, each with a value that passes its test.
    case fields([FieldTest])
    /// No locator, and all these texts.
    case texts([TextTest])
    /// No locator, and all this is true of the element of a web page.
    case conditions([PageTest])
  }

  /// A test of an element of a web page, in CSS notation.
  public enum PageTest: Hashable, Sendable {
    /// `#id`
    case id(UTF8String)
    /// `.class`
    case hasClass(UTF8String)
    /// `[name]`
    case hasAttribute(UTF8String)
    /// `[name="value"]`
    case attribute(UTF8String, UTF8String)
    /// `:nth-of-type(n)`, counted from 1 among the siblings of the tag.
    case nthOfType(Int)
    /// `:nth-child(n)`, counted from 1 among all siblings.
    case nthChild(Int)
  }

  /// A test of one of the texts that paths of PostHog have.
  public struct TextTest: Hashable, Sendable {
    public var field: TextField
    /// The whole text; empty if there must be none.
    public var text: UTF8String

    /// Creates a test.
    public init(_ field: TextField, _ text: UTF8String) {
      self.field = field
      self.text = text
    }
  }

  /// The texts of a component: its own text, and the label that a developer has given it.
  public enum TextField: String, CaseIterable, Hashable, Sendable {
    case text, id
  }

  /// A test of one field of a locator.
  public struct FieldTest: Hashable, Sendable {
    public var field: Field
    /// The test of the field's value.
    public var test: NumberTest

    /// Creates a test.
    public init(_ field: Field, _ test: NumberTest) {
      self.field = field
      self.test = test
    }
  }

  /// The fields of locators.
  public enum Field: String, CaseIterable, Hashable, Sendable {
    case section, row, item, indexx, indexy
  }

  /// A test of a number.
  public enum NumberTest: Hashable, Sendable {
    /// `*`
    case any
    /// From `lower` to `upper`, both included; nil means no bound. `5` is from 5 to 5.
    case range(lower: Int?, upper: Int?)
    /// One of at least two numbers.
    case oneOf([Int])

    /// Returns the test that one number alone passes.
    package static func exactly(_ number: Int) -> NumberTest { .range(lower: number, upper: number) }
  }
}

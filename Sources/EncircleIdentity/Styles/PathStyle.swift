import EncircleTree

/// The names of the path styles.
public enum PathStyleName: String, CaseIterable, Hashable, Sendable {
  /// NetEase HubbleData for iOS, the style of identities and event IDs.
  case hubbleData = "hubbledata"
  /// NetEase HubbleData for Android: `page:path`.
  case hubbleDataAndroid = "hubbledata-android"
  /// NetEase Lede: `viewPath`.
  case lede
  /// Sensors Analytics for iOS: `$element_path`, with any row of the innermost list.
  case sensors
  /// Sensors Analytics for iOS, with the exact row.
  case sensorsExact = "sensors-exact"
  /// GrowingIO 4 for iOS: `xpath` and `xcontent`.
  case growingIO = "growingio"
  /// PostHog for iOS: `elements_chain`.
  case postHog = "posthog"
}

/// A way to compute and to write the paths of elements, as one of the SDKs in the field does it.
///
/// ```swift
/// let chains = PathChains(of: screen)
/// let style = PathStyleName.sensors.style
/// if style.lack(of: screen) == nil { print(style.path(of: chains.chain(to: element))?.written ?? "-") }
/// ```
public protocol PathStyle: Sendable {
  /// The name.
  var name: PathStyleName { get }

  /// What a capture would have to have for the style to serve it; nil if it has that.
  func lack(of screen: IdentifiedTree) -> PathStyleLack?

  /// The path of the last element of a chain; nil if the style has none for it.
  ///
  /// - Complexity: O(chain).
  func path(of chain: [PathNode]) -> StyledPath?

  /// The place in the innermost list, as events of the style tell it beside the path; nil where they do not.
  ///
  /// - Complexity: O(chain).
  func position(in chain: [PathNode]) -> String?

  /// Appends the written form.
  func write(_ path: StyledPath, to bytes: inout [UInt8])

  /// Reads a written path back. Writing the result gives the same bytes.
  ///
  /// - Parameter vocabulary: Class names that decide between readings, where the text leaves several.
  /// - Returns: The readings; at least one, and more than one only where the text is ambiguous.
  /// - Throws: Why the text is no path of the style.
  func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath]
}

extension PathStyleName {
  /// Whether the style's SDK makes ids of paths alone.
  public var hasOwnIDs: Bool { self == .lede || self == .hubbleDataAndroid }

  /// The style of that name.
  public var style: any PathStyle {
    switch self {
    case .hubbleData: HubbleDataStyle()
    case .hubbleDataAndroid: HubbleDataAndroidStyle()
    case .lede: LedeStyle()
    case .sensors: SensorsStyle(isExact: false)
    case .sensorsExact: SensorsStyle(isExact: true)
    case .growingIO: GrowingIOStyle()
    case .postHog: PostHogStyle()
    }
  }
}

extension PathStyle {
  /// No place besides the path.
  public func position(in chain: [PathNode]) -> String? { nil }

  /// Reads a written path back.
  ///
  /// - Throws: Why the text is no path of the style.
  public func read(_ text: String, vocabulary: ClassVocabulary? = nil) throws(PathStyleError) -> [StyledPath] {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { text throws(PathStyleError) in
      guard !text.isEmpty else { throw PathStyleError(.empty, offset: 0) }
      guard text.count <= ElementPath.maximumLength else {
        throw PathStyleError(.tooLong, offset: ElementPath.maximumLength)
      }
      return try read(text, vocabulary: vocabulary)
    }
  }
}

/// Why a style cannot serve a capture.
public enum PathStyleLack: Hashable, Sendable, CustomStringConvertible {
  /// No element names a view controller.
  case controllers
  /// The screen is not one of an iOS app.
  case iOS
  /// The screen is not one of an Android app.
  case android

  /// The reason in words.
  public var description: String {
    switch self {
    case .controllers: "no element names its view controller, from which paths of this style begin"
    case .iOS: "it is a screen of Android, and the style is one of iOS"
    case .android: "it is a screen of iOS, and the style is one of Android"
    }
  }
}

/// Why a text is no path of a style, and where.
public struct PathStyleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// No text.
    case empty
    /// More than ``ElementPath/maximumLength`` bytes.
    case tooLong
    /// A separator with nothing before or behind it.
    case emptyComponent
    /// What follows the class name is none of the style's indexes.
    case badIndex(String)
    /// Classes and indexes are not of one number.
    case unequal(classes: Int, indexes: Int)
    /// There are no indexes behind the classes.
    case noIndexes
    /// No page before the path.
    case noPage
    /// The text of an attribute does not end.
    case unclosedQuote
    /// An attribute that the style does not have.
    case badAttribute(String)
    /// The path does not begin with the separator.
    case noLeadingSeparator
    /// Bytes that are not UTF-8.
    case notUTF8
  }

  /// What is wrong.
  public var kind: Kind
  /// Where, in bytes from 0.
  public var offset: Int

  /// Creates an error.
  public init(_ kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The problem in words, with its offset.
  public var description: String { "\(message) (byte \(offset))" }

  /// The problem in words, without its place.
  public var message: String {
    switch kind {
    case .empty: "a path has at least one component"
    case .tooLong: "a path is at most \(ElementPath.maximumLength) bytes long"
    case .emptyComponent: "expected a class name"
    case .badIndex(let found): "'\(found)' is no index of this style"
    case .unequal(let classes, let indexes):
      "there are \(classes) class names and \(indexes) indexes; both must be of one number"
    case .noIndexes: "expected ' & ' and the indexes after the class names"
    case .noPage: "expected the page and ':' before the path"
    case .unclosedQuote: "expected a closing \" after the text of the attribute"
    case .badAttribute(let found): "'\(found)' is no attribute of this style: expected text, attr__class or attr_id"
    case .noLeadingSeparator: "expected '/' at the beginning"
    case .notUTF8: "not UTF-8"
    }
  }
}

import EncircleTree

/// The names of the path styles.
public enum PathStyleName: String, CaseIterable, Hashable, Sendable {
  /// NetEase HubbleData for iOS, the style of identities and event IDs.
  case hubbleData = "hubbledata"
  /// NetEase HubbleData for Android: `page:path`.
  case hubbleDataAndroid = "hubbledata-android"
  /// NetEase Lede: `viewPath`.
  case lede
  /// Sensors Analytics for iOS: `$element_path`, with any row in the innermost list.
  case sensors
  /// Sensors Analytics for iOS, with the exact row.
  case sensorsExact = "sensors-exact"
  /// GrowingIO 4 for iOS: `xpath` and `xcontent`.
  case growingIO = "growingio"
  /// PostHog for iOS: `elements_chain`.
  case postHog = "posthog"
  /// Sensors Analytics for Android: `$element_path`, with any position in the innermost list.
  case sensorsAndroid = "sensors-android"
  /// GrowingIO 4 for Android: `xpath` and `xcontent`.
  case growingIOAndroid = "growingio-android"
  /// Sensors Analytics for web pages: `$element_path`, with `$element_selector` beside it.
  case sensorsWeb = "sensors-web"
  /// PostHog for web pages: `$elements_chain`.
  case postHogWeb = "posthog-web"
}

/// A way to make, write and parse the paths of elements, as one of the analytics SDKs does it.
///
/// ```swift
/// let chains = PathChains(of: screen)
/// let style = PathStyleName.sensors.style
/// if style.unmetRequirement(for: screen) == nil { print(style.path(of: chains.chain(to: element))?.written ?? "-") }
/// ```
public protocol PathStyle: Sendable {
  var name: PathStyleName { get }

  /// Returns a requirement of the style that a capture does not meet, so that the style has no paths for it; nil if it meets all.
  func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement?

  /// Returns the path of the last element of a chain, or nil if the style has none for it.
  ///
  /// - Complexity: O(length of the chain).
  func path(of chain: [PathNode]) -> StyledPath?

  /// Appends the text of the path of the last element of a chain, as ``write(_:to:)`` does for ``path(of:)``.
  ///
  /// - Returns: True if the style has a path for the element. If not, nothing is appended.
  /// - Complexity: O(length of the path).
  func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool

  /// Returns the place in the innermost list, which events of some styles give beside the path; otherwise nil.
  ///
  /// - Complexity: O(length of the chain).
  func position(in chain: [PathNode]) -> String?

  /// Appends the text of a path.
  func write(_ path: StyledPath, to bytes: inout [UInt8])

  /// Parses the text of a path. Writing the result gives the same bytes.
  ///
  /// - Parameter vocabulary: The class names that decide between readings of an ambiguous text.
  /// - Returns: The readings: one, or several if the text is ambiguous.
  /// - Throws: A ``PathStyleError`` if the text is not a path of the style.
  /// - Complexity: O(length), except for ambiguous texts.
  func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath]
}

extension PathStyleName {
  /// This is true if the style is one of Sensors Analytics' two styles for iOS.
  package var isSensors: Bool { self == .sensors || self == .sensorsExact }

  /// This is true if the style belongs to an SDK for Android.
  package var isAndroid: Bool {
    switch self {
    case .hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid: true
    case .hubbleData, .lede, .sensors, .sensorsExact, .growingIO, .postHog, .sensorsWeb, .postHogWeb: false
    }
  }

  /// This is true if the style belongs to an SDK for web pages.
  public var isWeb: Bool { self == .sensorsWeb || self == .postHogWeb }

  /// Returns the page that an event of the style names, as captures and rules have it: the path of a web page's address without
  /// escapes; for other pages the class, without the slash that GrowingIO's SDKs write before it and without the prefix of key-value
  /// observing.
  package func page(ofEvent text: String) -> String {
    if isWeb { return WebAddress(text).path }
    if hasIndexList, text.utf8.first == UInt8(ascii: "/") {
      return String(Substring(text.utf8.dropFirst()))
    }
    var name = text
    return name.withUTF8({ RuntimeSubclass.isObservation($0) }) ? RuntimeSubclass.writtenClass(of: text) : text
  }

  /// This is true if events have a position besides the path, which replaces the `-` in it.
  package var positionCompletesPath: Bool { hasIndexList || self == .sensors || self == .sensorsAndroid }

  /// This is true if paths consist of two lists, `xpath` and `xcontent`, as in the styles of GrowingIO.
  package var hasIndexList: Bool { self == .growingIO || self == .growingIOAndroid }

  /// This is true if the style's SDK makes ids from the path alone.
  public var hasOwnIDs: Bool { self == .lede || self == .hubbleDataAndroid }

  /// Returns the id that the style's SDK makes of a path, given as its text; nil if it makes none.
  package func digest(ofPath text: [UInt8]) -> [UInt8]? {
    guard hasOwnIDs else { return nil }
    if self == .lede { return md5(text) }
    return text.withUnsafeBytes { EventID(identity: $0).bytes }
  }

  /// Returns the SDK's id for the path of a chain's last element; nil if it has no path or the style has no ids.
  package func digest(ofPathOf chain: [PathNode]) -> [UInt8]? {
    var text: [UInt8] = []
    return style.write(pathOf: chain, to: &text) ? digest(ofPath: text) : nil
  }

  /// Returns the reason, in words, why the style has no paths for a capture; nil if it has paths.
  package func refusal(of screen: IdentifiedTree) -> String? {
    style.unmetRequirement(for: screen).map { "style \(rawValue) cannot serve this capture: \($0)" }
  }

  /// The style with that name.
  public var style: any PathStyle {
    switch self {
    case .hubbleData: HubbleDataStyle()
    case .hubbleDataAndroid: HubbleDataAndroidStyle()
    case .lede: LedeStyle()
    case .sensors: SensorsStyle(isExact: false)
    case .sensorsExact: SensorsStyle(isExact: true)
    case .growingIO: GrowingIOStyle()
    case .postHog: PostHogStyle()
    case .sensorsAndroid: SensorsAndroidStyle()
    case .growingIOAndroid: GrowingIOAndroidStyle()
    case .sensorsWeb: SensorsWebStyle()
    case .postHogWeb: PostHogWebStyle()
    }
  }
}

extension PathStyle {
  /// Makes the path and writes it.
  public func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool {
    guard let path = path(of: chain) else { return false }
    write(path, to: &bytes)
    return true
  }

  /// Returns nil: events of most styles give no place.
  public func position(in chain: [PathNode]) -> String? { nil }

  /// Parses the text of a path.
  ///
  /// - Throws: A ``PathStyleError`` if the text is not a path of the style.
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

/// Something that a style needs of a capture.
public enum PathStyleRequirement: Hashable, Sendable, CustomStringConvertible {
  /// An element must name a view controller.
  case controllers
  /// An element of an Android screen must name its activity.
  case activity
  /// The screen must be one of an iOS app.
  case iOS
  /// The screen must be one of an Android app.
  case android
  /// The screen must be a web page.
  case webPage
  /// The screen must be one of an app.
  case app

  /// How a capture fails to meet the requirement, in words.
  public var description: String {
    switch self {
    case .controllers: "no element names its view controller, with which paths of this style begin"
    case .activity: "it does not name the activity that it shows; give it with --page"
    case .iOS: "it is an Android screen, and the style is for iOS"
    case .android: "it is an iOS screen, and the style is for Android"
    case .webPage: "it is a screen of an app, and the style is for web pages"
    case .app: "it is a web page, and the style is for apps; use sensors-web or posthog-web"
    }
  }
}

/// An error in the text of a path.
public struct PathStyleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  public enum Kind: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text has more than ``ElementPath/maximumLength`` bytes.
    case tooLong
    /// There is nothing before or after a separator.
    case emptyComponent
    /// The text after a class name is not an index of the style.
    case badIndex(String)
    /// The numbers of classes and of indexes are different.
    case unequal(classes: Int, indexes: Int)
    /// There are no indexes after the classes.
    case noIndexes
    /// There is no page before the path.
    case noPage
    /// The value of an attribute has no closing quote.
    case unclosedQuote
    /// The style has no such attribute.
    case badAttribute(String)
    /// The path does not begin with the separator.
    case noLeadingSeparator
    /// The path is one of a web page, in a style of apps.
    case webPath
    /// The text is not valid UTF-8.
    case notUTF8
  }

  public var kind: Kind
  /// The offset of the error in bytes.
  public var offset: Int

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
    case .badIndex(let found): "'\(found)' is not an index of this style"
    case .unequal(let classes, let indexes):
      "there are \(classes) class names and \(indexes) indexes; both must be of one number"
    case .noIndexes: "expected ' & ' and the indexes after the class names"
    case .noPage: "expected the page and ':' before the path"
    case .unclosedQuote: "expected a closing \" after the text of the attribute"
    case .badAttribute(let found): "'\(found)' is not an attribute of this style: expected text, attr__class or attr_id"
    case .noLeadingSeparator: "expected '/' at the beginning"
    case .webPath: "this is a path of a web page, which styles sensors-web and posthog-web read"
    case .notUTF8: "not UTF-8"
    }
  }
}

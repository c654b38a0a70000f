import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// A screen of a running app, without typed texts: a capture that can be stored, resolved and selected on like any other. Its
/// paths in the `sensors` style are the paths that the SDK has given.
public struct SnapshotScreen: Sendable {
  /// The capture as view-tree XML.
  public let capture: [UInt8]
  /// The parsed capture.
  public let identified: IdentifiedTree
  /// The class and title of the page's view controller.
  public let page: String?
  public let title: String?
  /// The size of the window in points.
  public let width: Double
  public let height: Double
  /// The SDK's facts about each element, by element number.
  public let facts: [ElementFacts]
  /// The defects of the payload that were ignored.
  public let defects: Defects
  /// The areas of input fields in the window, including fields beneath an alert. A picture must not show them.
  public let fieldAreas: [Frame]
  /// This is true if there is a field whose place is unknown.
  public private(set) var hasUnplacedField: Bool

  /// The SDK's facts about an element.
  public struct ElementFacts: Sendable {
    /// This is true if the SDK lists the element. The others follow from the paths of listed views.
    public var isListed = false
    /// The number in pre-order; later elements lie on top.
    public var level: Int?
    /// The visible part in the window; nil if the element is off the screen.
    public var frame: Frame?
    /// This is true if a tap on the element causes an event.
    public var isTappable = false
    /// `$element_path`, `$element_position` and, without typed text, `$element_content` of its events.
    public var path: String?
    public var position: String?
    public var content: String?
    public var screenName: String?
  }

  /// Defects of a payload that do not prevent it from being read.
  public struct Defects: Hashable, Sendable {
    /// The number of ids that no object has.
    public var missing = 0
    /// The number of objects that several others list, or that contain themselves.
    public var shared = 0
    /// The number of ids that several objects have.
    public var repeatedIDs = 0
    /// The number of objects that no other lists.
    public var unreachable = 0
    /// The number of objects below the deepest level that is read.
    public var tooDeep = 0
  }

  /// The texts that were typed on this screen and on others.
  private(set) var typed: TypedTexts
  /// The part of ``fieldAreas`` on the page beneath an alert, which the SDK does not list.
  private let areasBeneath: [Frame]
  private let isAlert: Bool
  private let ownAreas: [Frame]

  // The contents of elements, by the names that events give them.
  let contents: [ElementKey: KnownContent]

  struct ElementKey: Hashable {
    var screen: UTF8String
    var path: UTF8String
    var position: UTF8String
  }

  enum KnownContent: Equatable {
    /// The content contains no typed text, and is complete.
    case harmless(String?)
    /// The content contained typed text; this is the remaining text.
    case masked(String?)
  }

  /// Notes that the fields of the page beneath an alert are unknown.
  fileprivate mutating func loseFieldsBeneath() { hasUnplacedField = hasUnplacedField || isAlert }

  /// Remembers what was typed on another screen of the app, so that it is also removed from the events of later screens.
  package mutating func rememberTypedTexts(of other: SnapshotScreen) { typed.remember(other.typed) }
}

/// A payload, read and masked.
public struct Snapshot: Sendable {
  /// The screen; nil if the app shows no window.
  public let screen: SnapshotScreen?
  /// The picture of the screen, a JPEG file. It still shows typed texts, which ``CoveredPicture`` covers.
  let picture: [UInt8]?
  /// This is true if the message has a picture that is too large or not base64.
  let hasBadPicture: Bool
  /// The events since the previous message, without typed texts.
  public let events: [EventObject]
}

extension SnapshotMessage {
  /// Reads the payload; nil if the screen has not changed.
  ///
  /// - Parameters:
  ///   - time: The time at which the message arrived, in ISO 8601.
  ///   - earlier: The previous screen, to which events may still belong.
  ///   - missesEarlier: True if there may be screens between `earlier` and this one, so that the fields beneath an alert are unknown.
  /// - Throws: A ``SnapshotError`` if it cannot be read. A payload that can be read may still have ``SnapshotScreen/defects``.
  /// - Complexity: O(*n* log *n*), *n* bytes of the payload, and memory O(*n*).
  public func snapshot(
    at time: String? = nil, after earlier: SnapshotScreen? = nil, missesEarlier: Bool = false,
    limits: SnapshotLimits = SnapshotLimits()
  ) throws(SnapshotError) -> Snapshot? {
    guard let bytes = try openPayload(limits) else { return nil }
    var payload = try SnapshotPayload(bytes, limits)
    let walk = ObjectWalk(payload, levels: limits.levels)
    var table = ObjectKindTable()
    let kinds = walk.order.map { table.kinds(of: payload.objects[$0]) }
    let contents = MaskedContents(
      payload, walk, kinds, limit: ElementContents.maximumLength, after: earlier?.typed ?? TypedTexts())
    // A page's title is the content of its title view, which may be a search bar.
    payload.changeTexts(\.title, by: contents.typed.masked(title:))
    payload.changeTexts(\.webTitle, by: contents.typed.masked(title:))
    payload.changeTexts(\.url, by: contents.typed.masked(address:))
    var screen =
      payload.root == nil ? nil : try SnapshotScreen(self, payload, walk, kinds, contents, time, earlier, limits)
    if missesEarlier { screen?.loseFieldsBeneath() }
    let mask = EventMask(screens: [screen, earlier].compactMap { $0 }, typed: contents.typed)
    return Snapshot(
      screen: screen, picture: payload.screenshot, hasBadPicture: payload.hasBadScreenshot,
      events: mask.masked(payload.events))
  }
}

extension SnapshotScreen {
  fileprivate init(
    _ message: SnapshotMessage, _ payload: SnapshotPayload, _ walk: ObjectWalk, _ kinds: [ObjectKinds],
    _ masked: MaskedContents, _ time: String?, _ earlier: SnapshotScreen?, _ limits: SnapshotLimits
  ) throws(SnapshotError) {
    let window = payload.objects[walk.order[0]].frame
    width = window?.width ?? 0
    height = window?.height ?? 0
    page = message.pageName
    title = masked.typed.masked(title: message.title)
    typed = masked.typed
    var header = ViewTree.Header()
    header.app = message.appID
    header.appVersion = message.appVersion
    header.os = message.os
    if let window { header.screen = "\(CaptureXML.number(window.width)) \(CaptureXML.number(window.height))" }
    header.capturedAt = time
    let assembly = ScreenAssembly(payload, walk, kinds, levels: limits.levels)
    let writer = ScreenWriter(assembly, payload, walk, kinds, masked, header)
    capture = writer.text.bytes
    do throws(CaptureError) {
      identified = IdentifiedTree(try CaptureReader(format: .viewTree).read(capture))
    } catch {
      throw SnapshotError(.unusableScreen(error.description))
    }
    defects = Defects(
      missing: walk.missing, shared: walk.repeated, repeatedIDs: payload.repeatedIDs,
      unreachable: payload.objects.count - walk.order.count, tooDeep: walk.tooDeep)
    facts = writer.places.map { place in
      place < 0 ? ElementFacts() : Self.facts(Int(place), payload, walk, masked)
    }
    var areas: [Frame] = []
    var hasUnplaced = false
    var known: [ElementKey: KnownContent] = [:]
    for place in walk.order.indices {
      let object = payload.objects[walk.order[place]]
      if masked.isTyped[place] {
        if let frame = object.frame {
          if frame.width > 0, frame.height > 0 { areas.append(frame) }
        } else {
          hasUnplaced = true
        }
      }
      guard let path = object.path else { continue }
      let key = ElementKey(
        screen: UTF8String(object.screenName ?? ""), path: UTF8String(path),
        position: UTF8String(object.position ?? ""))
      let content = KnownContent(place, object, masked)
      // If two elements have the same key, a masked content takes precedence over a harmless one.
      if case .harmless = content, known[key] != nil { continue }
      known[key] = content
    }
    for place in masked.unexplainedInAlerts {
      if let frame = payload.objects[walk.order[place]].frame { areas.append(frame) } else { hasUnplaced = true }
    }
    isAlert = kinds.contains { $0.views.contains(.alertController) }
    ownAreas = areas
    // The page beneath an alert is the page of the previous screen, in its state at that time.
    areasBeneath = isAlert ? earlier.map { $0.isAlert ? $0.areasBeneath : $0.ownAreas } ?? [] : []
    fieldAreas = ownAreas + areasBeneath
    hasUnplacedField = hasUnplaced || (isAlert && earlier?.hasUnplacedField == true)
    contents = known
  }

  private static func facts(
    _ place: Int, _ payload: SnapshotPayload, _ walk: ObjectWalk, _ masked: MaskedContents
  ) -> ElementFacts {
    let object = payload.objects[walk.order[place]]
    return ElementFacts(
      isListed: true, level: object.level,
      frame: object.frame.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil },
      isTappable: object.isTappable ?? false, path: object.path, position: object.position,
      content: masked.contents[place], screenName: object.screenName)
  }
}

extension SnapshotScreen.KnownContent {
  /// Creates the known content of an element. The content is harmless if it comes completely from views without typed text.
  fileprivate init(_ place: Int, _ object: SnapshotObject, _ masked: MaskedContents) {
    let content = masked.contents[place]
    let isWhole = object.content == nil || sameText(object.content, content)
    self = !masked.hasTyped[place] && isWhole ? .harmless(content) : .masked(content)
  }
}

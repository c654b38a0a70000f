import EncircleEvents
import EncircleInput
import EncircleText

/// A message that an app with the Sensors SDK posts each second while a person circles on its screens.
///
/// ```swift
/// let message = try SnapshotMessage(body)
/// if let screen = try message.screen() { print(screen.page ?? "-", screen.identified.tree.count) }
/// ```
/// The payload stays compressed until ``screen(limits:at:)`` reads it; typed texts never leave that function.
public struct SnapshotMessage: Sendable {
  /// The bundle identifier of the app.
  public private(set) var appID: String?
  public private(set) var appVersion: String?
  /// The name of the operating system.
  public private(set) var os: String?
  /// The name and version of the SDK.
  public private(set) var lib: String?
  public private(set) var libVersion: String?
  /// The code that the app has read from its link.
  public private(set) var featureCode: String?
  /// The version of the app's configuration.
  public private(set) var configVersion: String?
  /// The class of the current page's view controller, and its title.
  public private(set) var pageName: String?
  public private(set) var title: String?
  /// This is true if the app accepts a configuration.
  public private(set) var enablesProperties = false
  /// The events that the SDK captures automatically.
  public private(set) var autotrack: [String] = []
  /// The address and title of the page in a web view.
  public private(set) var webURL: String?
  public private(set) var webTitle: String?
  /// The SDK's notices to the person who circles, such as that a web page lacks its script.
  public private(set) var alerts: [Alert] = []
  /// gzip data; nil when the screen has not changed.
  var payload: [UInt8]?

  /// A notice of the SDK, from `app_alert_infos`.
  public struct Alert: Hashable, Sendable {
    public var title: String?
    public var message: String?
    /// A link to more information, and its text.
    public var linkText: String?
    public var linkURL: String?
  }

  /// This is true if the screen has not changed since the previous message.
  public var isUnchanged: Bool { payload == nil }

  /// Reads a message, but not its payload.
  ///
  /// - Complexity: O(bytes).
  public init(_ body: some Sequence<UInt8>, limits: SnapshotLimits = SnapshotLimits()) throws(SnapshotError) {
    self = try withContiguousBytes(body) { text throws(SnapshotError) in try SnapshotMessage(text: text, limits) }
  }

  private init(text: UnsafeBufferPointer<UInt8>, _ limits: SnapshotLimits) throws(SnapshotError) {
    guard text.count <= limits.messageBytes else { throw SnapshotError(.messageTooLong(limit: limits.messageBytes)) }
    let json: SnapshotJSON
    do throws(JSONError) { json = try SnapshotJSON(text, limits) } catch { throw SnapshotError(.notJSON(error)) }
    guard json.isObject(0) else { throw SnapshotError(.notAnObject) }
    var type: String?
    var encoded: Int?
    var screenName: String?
    json.forEachMember(of: 0) { name, value in
      switch name {
      case "type": type = json.string(value)
      case "feature_code": featureCode = json.nonEmpty(value)
      case "app_id": appID = json.nonEmpty(value)
      case "app_version": appVersion = json.nonEmpty(value)
      case "os": os = json.nonEmpty(value)
      case "lib": lib = json.nonEmpty(value)
      case "lib_version": libVersion = json.nonEmpty(value)
      case "config_version": configVersion = json.nonEmpty(value)
      case "page_name": pageName = json.nonEmpty(value)
      case "screen_name": screenName = json.nonEmpty(value)
      case "title": title = json.nonEmpty(value)
      case "app_enablevisualizedproperties": enablesProperties = json.bool(value) ?? false
      case "h5_url": webURL = json.nonEmpty(value)
      case "h5_title": webTitle = json.nonEmpty(value)
      case "app_autotrack":
        autotrack = []
        json.forEachElement(of: value) { element in
          if let name = json.nonEmpty(element) { autotrack.append(name) }
          return autotrack.count < 16
        }
      case "app_alert_infos": alerts = Self.alerts(value, json)
      case "gzip_payload": encoded = json.tape[value].kind == .string ? value : nil
      default: break
      }
    }
    pageName = pageName ?? screenName
    guard type == "snapshot_response" else { throw SnapshotError(.unknownType) }
    guard let encoded, json.tape[encoded].range.count > 0 else { return }
    var base64: [UInt8] = []
    if json.tape[encoded].hasEscapes { json.tape.appendString(encoded, in: text, to: &base64) }
    let bytes =
      json.tape[encoded].hasEscapes ? Base64.decode(base64) : Base64.decode(text.part(json.tape[encoded].range))
    guard let bytes else { throw SnapshotError(.notBase64) }
    payload = bytes
  }

  private static func alerts(_ node: Int, _ json: SnapshotJSON) -> [Alert] {
    var alerts: [Alert] = []
    json.forEachElement(of: node) { element in
      var alert = Alert()
      json.forEachMember(of: element) { name, value in
        switch name {
        case "title": alert.title = json.nonEmpty(value)
        case "message": alert.message = json.nonEmpty(value)
        case "link_text": alert.linkText = json.nonEmpty(value)
        case "link_url": alert.linkURL = json.nonEmpty(value)
        default: break
        }
      }
      if alert.title != nil || alert.message != nil { alerts.append(alert) }
      return alerts.count < 8
    }
    return alerts
  }

  /// Returns the decompressed payload; nil if there is none.
  func openPayload(_ limits: SnapshotLimits) throws(SnapshotError) -> [UInt8]? {
    guard let payload else { return nil }
    // Without this check, `ByteSource` would return data that are not gzip as they are.
    guard Gzip.isBeginning(of: payload) else { throw SnapshotError(.badCompression("it is not gzip data")) }
    do throws(InputError) {
      var source = ByteSource(payload)
      return try source.readAll(limit: limits.payloadBytes)
    } catch {
      if case .tooLarge = error { throw SnapshotError(.payloadTooLong(limit: limits.payloadBytes)) }
      throw SnapshotError(.badCompression("\(error)"))
    }
  }
}

extension SnapshotMessage {
  /// The message without its payload: only the app's description of itself.
  public var withoutPayload: SnapshotMessage {
    var copy = self
    copy.payload = nil
    return copy
  }
}

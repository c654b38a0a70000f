import EncircleEvents
import EncircleSDK
import EncircleText
import Logging

/// The configuration of a service. ``Setting/all`` describes each member.
public struct ServiceConfiguration: Sendable {
  public var directory: String
  public var host = "127.0.0.1"
  public var port = 8_080
  public var allowAnonymous = false
  public var allowedOrigins: [String] = []
  public var trustedProxies: [String] = []
  public var rules: [String] = []
  public var importedCaptures: [String] = []
  public var importedEvents: String?
  public var manuals: String?
  public var redactedProperties: [String] = []
  public var logFormat = LogFormat.lines
  public var logLevel = Logger.Level.info
  public var retention = EventLimits()
  public var limits = ServiceLimits()

  public init(directory: String = "encircle-data") { self.directory = directory }

  /// Returns whether a text names a property of events: a key, or a JSON Pointer.
  public static func isProperty(_ text: String) -> Bool {
    !text.isEmpty && PropertyReference(parsing: text) != nil
  }

  /// Returns whether a text is an origin, as browsers write the site of a page: `https://tools.example.com`. A trailing `/` is
  /// ignored.
  public static func isOrigin(_ text: String) -> Bool {
    guard let colon = text.range(of: "://"), let first = text.unicodeScalars.first else { return false }
    let scheme = text[..<colon.lowerBound].unicodeScalars
    var host = text[colon.upperBound...]
    if host.endsWithBytes(of: "/") { host.removeLast() }
    return first.properties.isAlphabetic
      && scheme.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0)) }
      && !host.isEmpty
      && host.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && !"/?#@*\\".unicodeScalars.contains($0) }
  }
}

/// The default limits of one request, and of all requests together. ``Setting/all`` describes each limit. A request that
/// exceeds a limit is answered with the status for that limit.
public struct ServiceLimits: Sendable {
  public var bodyBytes = 16 << 20
  public var captureBytes = 64 << 20
  public var captureElements = 100_000
  public var screenshotBytes = 16 << 20
  public var cachedCaptureBytes = 128 << 20
  public var collectBytes = 16 << 20
  public var collectEvents = 20_000
  public var depth = 512
  public var idleSeconds = 30
  public var stallSeconds = 30
  public var bytesPerSecond = 256
  public var workSeconds = 20
  public var answerSeconds = 60
  public var bodyMemory = 512 << 20
  public var stopSeconds = 20
  public var waitingWork = 64
  public var connections = 1_024
  public var connectionsPerAddress = 512
  public var appConnections = 64
  public var appConnectionBytes = 8 << 30
  public var appMessages = 6
  public var appMessageBytes = SnapshotLimits().messageBytes
  public var appPayloadBytes = SnapshotLimits().payloadBytes
  public var appObjects = SnapshotLimits().objects
  public var appPictureBytes = SnapshotLimits().screenshotBytes
  public var appLinkSeconds = 600
  public var appIdleSeconds = 600
  public var appTotalSeconds = 14_400

  public init() {}

  /// The limits for reading one message of a running app.
  var snapshot: SnapshotLimits {
    var limits = SnapshotLimits()
    limits.messageBytes = appMessageBytes
    limits.payloadBytes = appPayloadBytes
    limits.objects = appObjects
    limits.screenshotBytes = appPictureBytes
    return limits
  }
}

import EncircleEvents
import EncircleSDK
import Logging

/// What a service is started with.
public struct ServiceConfiguration: Sendable {
  /// The directory that holds all that the service keeps. It is made where it is missing.
  public var directory: String
  /// The address to listen on: an IP address or a name.
  public var host: String
  /// The port to listen on; 0 takes a free one.
  public var port: Int
  /// What requests may cost.
  public var limits: ServiceLimits
  /// How many events are kept, and for how long.
  public var retention: EventRetention
  /// Origins of pages elsewhere that may use the API from a browser; none by default.
  public var allowedOrigins: [String]
  /// Properties of events that are never stored, by name or JSON Pointer: `$element_content`, `/identities`.
  public var redactedProperties: [String]
  /// Directories, or files, with captures that are stored at the start if they are not stored yet.
  public var importedCaptures: [String] = []
  /// A file with events that are stored at the start while there are none.
  public var importedEvents: String?
  /// Whether everybody may do everything while there are no tokens, although other machines can reach the address.
  public var allowAnonymous = false
  /// The addresses of proxies whose `X-Forwarded-For` is believed.
  public var trustedProxies: [String] = []
  /// Rule files, and directories of them, that become rule sets while the directory has none: `FILE` becomes `default`,
  /// `NAME=FILE` the rule set of that name, and each file of a directory the rule set of its own name.
  public var rules: [String] = []
  /// How entries of the log are written.
  public var logFormat = LogFormat.lines
  /// The least important entries of the log.
  public var logLevel = Logger.Level.info

  public init(
    directory: String, host: String = "127.0.0.1", port: Int = 8080, limits: ServiceLimits = ServiceLimits(),
    retention: EventRetention = EventRetention(), allowedOrigins: [String] = [], redactedProperties: [String] = []
  ) {
    self.directory = directory
    self.host = host
    self.port = port
    self.limits = limits
    self.retention = retention
    self.allowedOrigins = allowedOrigins
    self.redactedProperties = redactedProperties
  }

  /// Whether a text names a property of events: a key, or a JSON Pointer.
  public static func isProperty(_ text: String) -> Bool {
    !text.isEmpty && PropertyReference(parsing: text) != nil
  }

  /// Whether a text is an origin, as browsers name the site of a page: `https://tools.example.com`. A `/` at its end is
  /// passed over.
  public static func isOrigin(_ text: String) -> Bool {
    guard let colon = text.range(of: "://"), let first = text.unicodeScalars.first else { return false }
    let scheme = text[..<colon.lowerBound].unicodeScalars
    var host = text[colon.upperBound...]
    if host.hasSuffix("/") { host.removeLast() }
    return first.properties.isAlphabetic
      && scheme.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0)) }
      && !host.isEmpty
      && host.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && !"/?#@*\\".unicodeScalars.contains($0) }
  }
}

/// What one request, and all requests together, may cost. Each excess is answered with a status of its own.
public struct ServiceLimits: Sendable {
  /// The bytes of a request's body, where a route has no other limit: 413 beyond it.
  public var bodyBytes = 16 << 20
  /// The bytes of an uploaded capture with its screenshot: 413 beyond it.
  /// It is also the limit of what a compressed capture becomes.
  public var captureBytes = 64 << 20
  /// The elements of a capture: 422 beyond them.
  public var captureElements = 100_000
  /// The bytes of a screenshot that is sent by itself: 413 beyond it.
  public var screenshotBytes = 16 << 20
  /// The bytes of captures that are kept in memory after they were read.
  public var cachedCaptureBytes = 128 << 20
  /// The bytes of what an SDK sends in one request, and of what that becomes when it is decompressed: 503 beyond it,
  /// since on 413 an SDK would delete its events.
  public var collectBytes = 16 << 20
  /// Events in one request.
  public var collectEvents = 20_000
  /// Levels of arrays and objects in JSON.
  public var depth = 512
  /// Seconds that a client may leave a connection without a request, or take for the lines of one.
  public var idleSeconds = 30
  /// Seconds for which a client may send nothing of a body, or take nothing of an answer.
  public var stallSeconds = 30
  /// The least bytes that a body must bring per second, on the average after the first `stallSeconds`.
  public var bytesPerSecond = 256
  /// Seconds of processor time that one request's work may take before it is given up with 503.
  public var workSeconds = 20
  /// Seconds after which one request's work is given up with 503, with waiting for a processor and for the disk.
  public var answerSeconds = 60
  /// The bytes of bodies that are held in memory at a time, over all requests: 503 beyond it.
  public var bodyMemory = 512 << 20
  /// Seconds that requests under way may take after the service was asked to stop.
  public var stopSeconds = 20
  /// Pieces of work that wait for a thread: 503 beyond them.
  public var waitingWork = 64
  /// Connections that are open at a time; further ones wait.
  public var connections = 1_024
  /// Connections of one address at a time; trusted proxies have any number.
  public var connectionsPerAddress = 512
  /// Links and connections of running apps at a time: 503 beyond them.
  public var appConnections = 64
  /// The bytes that one running app may send: some hours of changing screens. Beyond them its connection ends.
  public var appConnectionBytes = 8 << 30
  /// Messages of one running app that are read at a time: 503 beyond them. It sends one each second, without waiting for
  /// answers.
  public var appMessages = 6
  /// The bytes of a message of a running app: 413 beyond it.
  public var appMessageBytes = SnapshotLimits().messageBytes
  /// The bytes of such a message's payload, decompressed: 413 beyond it.
  public var appPayloadBytes = SnapshotLimits().payloadBytes
  /// The views and controllers of a running app's screen: 413 beyond them.
  public var appObjects = SnapshotLimits().objects
  /// The bytes of a running app's picture; a larger one is left out.
  public var appPictureBytes = SnapshotLimits().screenshotBytes
  /// Seconds for which the link for a running app may be used.
  public var appLinkSeconds = 600
  /// Seconds after which the connection of a silent app ends.
  public var appIdleSeconds = 600
  /// Seconds after which every connection of an app ends.
  public var appTotalSeconds = 14_400

  public init() {}
}

/// How many events are kept, and for how long: whichever is less.
public struct EventRetention: Sendable {
  /// Days since an event was received.
  public var days = 30
  /// All events together.
  public var rows = 1_000_000
  /// The most bytes that they may take on disk, counters included.
  public var bytes = 8 << 30

  public init() {}
}

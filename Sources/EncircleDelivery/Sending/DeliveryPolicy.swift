/// A policy for sending events: when, how many at a time, and which answers delete them.
public struct DeliveryPolicy: Hashable, Sendable {
  /// The limits of the queue.
  public var limits = QueueLimits()
  /// The format of request bodies.
  public var format = RequestFormat.gzippedJSON
  /// The number of waiting events above which storing another one triggers sending. With ``separatesLeftOvers``, only fresh
  /// events count.
  public var flushAbove = 100
  /// The interval in seconds at which waiting events are sent.
  public var interval = 15.0
  /// This is true if waiting events are sent at this interval in the background, too.
  public var intervalInBackground = true
  /// The largest number of events in a request.
  public var eventsPerRequest = 500
  /// The largest size, in bytes of JSON, of all events of a request together; a single event may be larger.
  public var bytesPerRequest = 1 << 20
  /// The largest number of requests until the next occasion to send.
  public var requestsPerFlush = 1000
  /// The largest number of concurrent requests. With more than one, batches can arrive in another order.
  public var concurrentRequests = 1
  /// This is true if older events are sent only at ``flushPhases``, one request at a time; neither their number nor the interval
  /// then starts a request. Events are older if they were stored before the start, or if a request with them failed.
  public var separatesLeftOvers = false
  /// The changes of the app's state at which events are sent.
  public var flushPhases: Set<AppPhase> = [.start, .foreground, .background]
  /// The networks on which events are sent; on others they wait. A program reports the current network with
  /// ``EventSender/use(_:)``.
  public var networks = Set(DeliveryNetwork.allCases)
  /// The rule that decides which answers delete events.
  public var answers = AnswerRule.careful
  /// The pauses after failures; nil to try again at the next occasion.
  public var backoff: Backoff? = Backoff()

  /// Creates the careful policy.
  public init() {}

  /// The policy of this library: one request at a time, only events that were taken or set aside are deleted, and pauses grow
  /// with each failure.
  public static let careful = DeliveryPolicy()

  /// The default policy of sa-sdk-ios 4.8, except that the caller must send `track_signup` at once, with
  /// ``EventSender/flush()``.
  public static let sensors = {
    var policy = DeliveryPolicy()
    policy.limits = QueueLimits(events: 10_000, droppedAtOnce: 100)
    policy.format = .sensors
    policy.flushAbove = 100
    policy.interval = 15
    policy.intervalInBackground = false
    policy.eventsPerRequest = 50
    policy.bytesPerRequest = .max
    policy.requestsPerFlush = 41
    policy.flushPhases = [.start, .background]
    policy.networks.remove(.mobile2G)
    policy.answers = .sensors
    policy.backoff = nil
    return policy
  }()

  /// The policy of Lede's SDK. It sends fresh events in tens or every 30 s, with up to 10 concurrent requests. It sends events
  /// left over from failures and earlier runs at the start and when the app enters the foreground or the background, one
  /// request at a time.
  ///
  /// Lede's SDK keeps fresh events in memory only; this policy stores them first, as every policy does.
  ///
  /// Source: Lede's statements in docs/articles.md.
  public static let lede = {
    var policy = DeliveryPolicy()
    policy.format = .json
    policy.format.flushTimeMember = nil
    policy.flushAbove = 9
    policy.interval = 30
    policy.eventsPerRequest = 10
    policy.requestsPerFlush = 1
    policy.concurrentRequests = 10
    policy.separatesLeftOvers = true
    policy.flushPhases = [.start, .foreground, .background]
    policy.answers = .success
    policy.backoff = nil
    return policy
  }()
}

/// The kinds of networks that policies distinguish.
public enum DeliveryNetwork: Hashable, CaseIterable, Sendable {
  /// A wireless local network, or a cable.
  case wifi
  /// A mobile network of the second generation, and so on.
  case mobile2G, mobile3G, mobile4G, mobile5G
}

/// A change of the state of an app.
public enum AppPhase: Hashable, Sendable {
  /// The app was started by its user.
  case start
  /// The system started the app in the background.
  case passiveStart
  /// The app came to the foreground.
  case foreground
  /// The app went to the background.
  case background
}

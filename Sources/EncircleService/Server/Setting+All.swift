extension Setting {
  /// All settings, in the order of configuration files.
  public static let all: [Setting] = [
    Setting("data", .directory(\.directory), "The directory of the service's data."),
    Setting(
      "host", .text(\.host, what: "an address"),
      """
      The address to listen on. With one that other machines can reach, the service starts only when there are tokens; \
      `encircle token add` makes them.
      """),
    Setting("port", .number(\.port, 0...65_535), "The port to listen on; 0 takes a free one."),
    Setting(
      "allow_anonymous", .flag(\.allowAnonymous),
      "Let everybody do everything while there are no tokens, although other machines can reach the address."),
    Setting(
      "allowed_origins",
      .texts(
        \.allowedOrigins, what: "an origin, such as https://tools.example.com",
        isRight: { ServiceConfiguration.isOrigin($0) }),
      "Origins whose pages may use the API from a browser, such as https://tools.example.com."),
    Setting(
      "trusted_proxies",
      .texts(
        \.trustedProxies, what: "the address of a proxy, such as 10.0.0.7, or a range, such as 10.0.0.0/8",
        isRight: { AddressRange(parsing: $0) != nil }),
      """
      The addresses of proxies whose X-Forwarded-For gives the address of the client, such as 10.0.0.7, and ranges of \
      them, such as 10.0.0.0/8 and fd00::/8.
      """),
    Setting(
      "rules", .namedFiles(\.rules, what: "rule files"),
      """
      The initial rules of a new directory: FILE becomes the rule set 'default', NAME=FILE the rule set of that name, \
      and each file of a directory the rule set named after it.
      """),
    Setting(
      "captures", .files(\.importedCaptures, what: "directories of captures"),
      "Directories with captures to store at the start, as far as they are not stored yet."),
    Setting(
      "events", .file(\.importedEvents, what: "a file with events"),
      "The initial events, stored only if there are none yet: a file as for `encircle match`."),
    Setting(
      "manuals", .file(\.manuals, what: "a folder with a site"),
      """
      The folder with the site of the manuals, as `make site` makes it, for /docs/. By default, the folder that is \
      installed beside the program, if there is one.
      """),
    Setting(
      "redacted_properties",
      .texts(
        \.redactedProperties, what: "the name of a property, or a JSON Pointer",
        isRight: { ServiceConfiguration.isProperty($0) }),
      """
      Properties of events that are never stored, by name or JSON Pointer, such as $element_content. They can be \
      changed while the service runs; such a change overrides this setting.
      """),
    Setting("log_format", .logFormat(\.logFormat), "The format of the log on standard error: lines or json."),
    Setting(
      "log_level", .logLevel(\.logLevel),
      """
      The lowest level that is logged: trace, debug, info, notice, warning, error or critical. Each request is an \
      entry of debug.
      """),

    // Events are deleted beyond any of these.
    Setting("days", in: "retention", .number(\.retention.days, 1...3_650), "Keep events for this many days."),
    Setting(
      "rows", in: "retention", .number(\.retention.rows, 1...1_000_000_000), "Keep no more events than this."),
    Setting(
      "bytes", in: "retention", .number(\.retention.bytes, 1 << 20...1 << 50),
      "Keep no more events than take this many bytes on disk, with their counters."),

    limit("body_bytes", \.limits.bodyBytes, 1_024...1 << 30, "The longest body of a request: 413 beyond it."),
    limit(
      "capture_bytes", \.limits.captureBytes, 1_024...1 << 30,
      "The bytes of an uploaded capture with its screenshot, also decompressed: 413 beyond them."),
    limit("capture_elements", \.limits.captureElements, 1...2_000_000, "Elements of a capture: 422 beyond them."),
    limit(
      "screenshot_bytes", \.limits.screenshotBytes, 1_024...1 << 30,
      "The bytes of a screenshot that is sent by itself: 413 beyond them."),
    limit(
      "cached_capture_bytes", \.limits.cachedCaptureBytes, 1 << 20...1 << 40,
      "The bytes of captures that stay in memory after they were read."),
    limit(
      "collect_bytes", \.limits.collectBytes, 1_024...1 << 30,
      """
      The bytes of an SDK's request, also decompressed: 503 beyond them, because SDKs delete their events on 413; but \
      413 for PostHog's SDKs, which then send fewer events.
      """),
    limit(
      "collect_events", \.limits.collectEvents, 1...100_000_000, "Events in one request: the same beyond them."),
    limit(
      "depth", \.limits.depth, 16...512,
      "Levels of arrays and objects in the JSON of a body: 400 beyond them. Events and captures have separate limits."),
    limit(
      "idle_seconds", \.limits.idleSeconds, 1...3_600,
      "Close a connection after this many seconds without a request, or within the lines of one."),
    limit(
      "stall_seconds", \.limits.stallSeconds, 1...3_600,
      "Give up on a client that sends or takes nothing for this many seconds."),
    limit(
      "bytes_per_second", \.limits.bytesPerSecond, 1...1 << 30,
      "The minimum bytes per second of a body, on average after the first `stall_seconds`."),
    limit(
      "work_seconds", \.limits.workSeconds, 1...3_600,
      "Seconds of processor time that the work for one request may take: 503 beyond them."),
    limit(
      "answer_seconds", \.limits.answerSeconds, 1...3_600,
      """
      Seconds that the work for one request may take, with waiting for a processor and for the disk: 503 beyond them.
      """),
    limit(
      "body_memory", \.limits.bodyMemory, 1 << 20...1 << 40,
      "The bytes of the bodies of all requests together: 503 beyond them."),
    limit(
      "stop_seconds", \.limits.stopSeconds, 1...3_600,
      "Seconds that requests under way may take after the service was asked to stop."),
    limit(
      "waiting_work", \.limits.waitingWork, 1...100_000, "Requests that wait for a processor: 503 beyond them."),
    limit("connections", \.limits.connections, 1...1_000_000, "Connections at a time; further ones wait."),
    limit(
      "connections_per_address", \.limits.connectionsPerAddress, 1...1_000_000,
      "Connections of one address at a time; trusted proxies have any number."),
    limit(
      "app_connections", \.limits.appConnections, 1...10_000,
      "Links and connections of running apps that are circled, at a time: 503 beyond them."),
    limit(
      "app_connection_bytes", \.limits.appConnectionBytes, 1 << 20...1 << 50,
      "The bytes that one running app may send: some hours of changing screens. Beyond them its connection ends."),
    limit(
      "app_messages", \.limits.appMessages, 1...1_000,
      """
      Messages of one running app that are read at a time: 503 beyond them. It sends one each second, without waiting \
      for answers.
      """),
    limit(
      "app_message_bytes", \.limits.appMessageBytes, 1_024...1 << 30,
      "The bytes of a message of a running app: 413 beyond them."),
    limit(
      "app_payload_bytes", \.limits.appPayloadBytes, 1_024...1 << 30,
      "The bytes of such a message's payload, decompressed: 413 beyond them."),
    limit(
      "app_objects", \.limits.appObjects, 1...1_000_000,
      "The views and controllers of a running app's screen: 413 beyond them."),
    limit(
      "app_picture_bytes", \.limits.appPictureBytes, 1_024...1 << 30,
      "The bytes of a running app's picture; a larger one is left out."),
    limit(
      "app_link_seconds", \.limits.appLinkSeconds, 1...86_400,
      "Seconds for which the link for a running app may be used."),
    limit(
      "app_idle_seconds", \.limits.appIdleSeconds, 1...86_400,
      "Seconds after which the connection of a silent app ends."),
    limit(
      "app_total_seconds", \.limits.appTotalSeconds, 1...604_800,
      "Seconds after which every connection of an app ends."),
  ]

  private static func limit(_ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ text: String) -> Setting {
    Setting(name, in: "limits", .number(path, range), text)
  }
}

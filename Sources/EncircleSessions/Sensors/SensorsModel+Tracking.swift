import EncircleEvents
import EncircleText

// The IDs and properties of events, and the effects of storing them.
extension SensorsModel {
  // These are set by other means, or by the device.
  private static let removedProperties = ["$project", "$token", "$time", "$lib_method", "$anonymization_id"]

  /// Tracks an event that the SDK makes without code.
  mutating func trackAutomatic(
    _ name: String, _ properties: EventObject, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    var draft = SensorsDraft(.track, named: name, properties)
    draft.method = SensorsDraft.automatic
    track(draft, rule, reason, &output)
  }

  /// Stores an event, unless the SDK is off, and sends the waiting events if the event requires it.
  mutating func track(
    _ draft: SensorsDraft, _ rule: String, _ reason: @autoclosure () -> String, _ output: inout ReplayOutput
  ) {
    guard process.isAvailable else {
      explainUnavailable(event: draft.name?.event.text, &output)
      return
    }
    // Events of web pages, logins and bindings have already evaluated the dynamic properties.
    evaluateDynamicProperties()
    var draft = draft
    draft.properties = SensorsProperties.valid(draft.properties)
    var event = identified(draft)
    Self.correctIDs(of: &event, &draft)
    event.properties = properties(of: draft)
    if sameText(draft.properties.text("$lib_method"), SensorsDraft.automatic) { event.method = SensorsDraft.automatic }
    output.explain(rule, reason(), event: event.name ?? event.type, isSent: true)
    output.append(.event(event))
    process.queue.insert()
    let bulkSize = max(configuration.flushBulkSize, SensorsQueue.minimumBulkSize)
    if draft.isSignUp || process.queue.count > bulkSize { flush(&output) }
  }

  /// Adds the reason why a call or an automatic event has no effect.
  func explainUnavailable(event: String?, _ output: inout ReplayOutput) {
    if process.isDisabled {
      output.explain("sdk.disabled", "The SDK is switched off.", event: event)
    } else {
      output.explain("init.missing", "The SDK has not been started yet.", event: event)
    }
  }

  // MARK: - IDs

  private mutating func identified(_ draft: SensorsDraft) -> SessionEvent {
    var event = SessionEvent(
      time: draft.web?.time ?? time, type: draft.types.name, name: draft.name?.event.text, method: draft.method,
      identities: EventObject(), properties: EventObject(), isFromWeb: draft.web != nil)
    if let web = draft.web {
      event.distinctID = web.distinctID
      event.anonymousID = web.anonymousID
      event.loginID = web.loginID
      event.originalID = draft.isSignUp ? web.originalID : nil
      event.identities = web.identities ?? EventObject()
    }
    if !draft.types.isDisjoint(with: [.itemSet, .itemDelete]) { return event }
    if let web = draft.web, draft.types.contains(.signUp) {
      identifyWebLogin(&event, draft, web)
    } else {
      identify(&event, draft)
    }
    return event
  }

  private mutating func identify(_ event: inout SessionEvent, _ draft: SensorsDraft) {
    event.distinctID = process.identity.distinctID
    event.anonymousID = process.identity.anonymousID
    event.originalID = draft.isSignUp ? process.identity.anonymousID : nil
    if let web = draft.web {
      if let login = process.identity.loginID { event.loginID = login }
      event.identities = process.identity.merged(web.identities, for: draft.types)
    } else {
      event.loginID = process.identity.loginID
      event.identities = process.identity.identities(for: draft.types)
    }
    if draft.types == .unbind {
      event.loginID = nil
      event.anonymousID = nil
    }
    event.identities = SensorsIdentity.completed(event.identities, anonymousID: event.anonymousID)
  }

  /// Logs in the user that a web page names. If that changes nothing, the event stays as the page sent it.
  private mutating func identifyWebLogin(
    _ event: inout SessionEvent, _ draft: SensorsDraft, _ web: SensorsDraft.Web
  ) {
    let key = process.identity.loginKey
    guard let identities = web.identities else {
      logIn(web.distinctID, key: key, &event, draft)
      return
    }
    let distinctID = web.distinctID ?? ""
    let parts = distinctID.utf8.split(separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
    let (ownKey, ownID) = (
      parts.first.flatMap { String($0) } ?? "", parts.dropFirst().first.flatMap { String($0) } ?? ""
    )
    let keys = identities.members.filter { $0.value == .string(distinctID) }.map(\.name)
    if let id = identities.text(key) {
      logIn(id, key: key, &event, draft)
    } else if sameText(identities.text(ownKey), ownID) {
      logIn(ownID, key: ownKey, &event, draft)
    } else if keys.count == 1 {
      logIn(distinctID, key: keys[0], &event, draft)
    } else {
      identify(&event, draft)
    }
  }

  private mutating func logIn(_ id: String?, key: String, _ event: inout SessionEvent, _ draft: SensorsDraft) {
    guard let id, process.identity.canLogIn(id, key: key) else { return }
    process.identity.logIn(id, key: key)
    identify(&event, draft)
  }

  // The events of other SDKs that name their user, and the prefixes of the properties that name it.
  private static let namingEvents: [UTF8String: String] = [
    UTF8String("$ABTestTrigger"): "sab_", UTF8String("$PlanPopupDisplay"): "sf_",
  ]

  /// Moves the IDs in an event's properties to the event itself.
  private static func correctIDs(of event: inout SessionEvent, _ draft: inout SensorsDraft) {
    guard draft.web == nil, let name = draft.name?.event, let beginning = namingEvents[name] else { return }
    func take(_ property: String, _ id: inout String?) {
      guard let value = draft.properties.text(beginning + property) else { return }
      id = value
      draft.properties.set(beginning + property, nil)
    }
    take("loginId", &event.loginID)
    take("distinctId", &event.distinctID)
    take("anonymousId", &event.anonymousID)
  }

  // MARK: - Properties

  /// Evaluates the app's dynamic properties, and removes the static properties of the same names, ignoring case.
  mutating func evaluateDynamicProperties() {
    guard let function = process.dynamicFunction else { return }
    process.dynamicProperties = SensorsProperties.valid(function)
    process.superProperties = Self.without(process.dynamicProperties, process.superProperties)
  }

  /// Returns the properties whose names another object does not have, ignoring case.
  static func without(_ other: EventObject, _ properties: EventObject) -> EventObject {
    let names = Set(other.members.map { UTF8String($0.name.lowercased()) })
    return EventObject(properties.members.filter { !names.contains(UTF8String($0.name.lowercased())) })
  }

  /// Returns the properties of the device: most of them from when the SDK was started, the network's as they are now. For a web
  /// page, the properties of the library are omitted, because the page states its own.
  private func presetProperties(isFromWeb: Bool) -> EventObject {
    var result = process.presetProperties
    result.merge(PresetProperties.momentary(device.properties, network))
    if isFromWeb { for name in PresetProperties.library { result.set(name, nil) } }
    return result
  }

  /// Returns all properties of an event. Later properties replace earlier ones of the same name.
  private mutating func properties(of draft: SensorsDraft) -> EventObject {
    var result = EventObject()
    let isEvent = !draft.types.isDisjoint(with: .events)
    if isEvent {
      result.merge(presetProperties(isFromWeb: draft.web != nil))
      result.merge(process.superProperties)
      result.merge(process.dynamicProperties)
      if draft.web == nil {
        if let name = draft.name, let duration = process.timers.stop(name, at: milliseconds) {
          result.set("event_duration", duration)
        }
        if let title = process.referrers.referrerTitle { result.set("$referrer_title", title) }
      }
    }
    result.merge(draft.properties)
    if !draft.types.isDisjoint(with: [.track, .bind, .unbind]) {
      result.set("$is_first_day", .bool(process.isFirstDay))
    }
    if isEvent, configuration.numbersSessions {
      let number = SensorsSessionNumbers.number(
        &store.session, at: draft.web?.time ?? time, timeout: Int64(configuration.sessionTimeout) * 1000,
        sessionsSoFar: &sessionsSoFar)
      result.set("$event_session_id", .string("S\(number)"))
    }
    result = SensorsProperties.valid(result)
    for name in Self.removedProperties { result.set(name, nil) }
    if isEvent { for name in PresetProperties.deviceIDs { result.set(name, process.presetProperties[name]) } }
    guard var all = draft.web?.properties else { return result }
    all.merge(result)
    return all
  }
}

import EncircleEvents
import EncircleIdentity
import EncircleText

/// An element of a new version of the app that probably replaces an element that a rule selected in the previous version.
public struct SuccessorElement: Sendable {
  /// The rule that lost its element.
  public var rule: UTF8String
  /// The probability that it is that element, 0 to 1.
  public var confidence: Double
  /// The arguments for and against the match, the weightiest first.
  public var reasons: [String]
  /// The old place of the element, and its event as the old version sends it.
  public var before: ElementPlace
  public var eventBefore: AnalyticsEvent
  /// The new place of the element, and its event as the new version sends it.
  public var now: ElementPlace
  public var eventNow: AnalyticsEvent
  /// The last version that is known to have the element in its old place. Events of that and earlier versions are not about the
  /// successor.
  public var lastVersion: VersionNumber?
  /// The first version that is known to have another element in the new place. Events of that and later versions are not about the
  /// successor.
  public var endVersion: VersionNumber?
  /// This is true if another element was in the new place in an earlier version, so that an event without a version may
  /// be about it.
  public var isPlaceReused: Bool

  public init(
    rule: UTF8String, confidence: Double, reasons: [String], before: ElementPlace, eventBefore: AnalyticsEvent,
    now: ElementPlace, eventNow: AnalyticsEvent, lastVersion: VersionNumber? = nil, endVersion: VersionNumber? = nil,
    isPlaceReused: Bool = false
  ) {
    self.rule = rule
    self.confidence = confidence
    self.reasons = reasons
    self.before = before
    self.eventBefore = eventBefore
    self.now = now
    self.eventNow = eventNow
    self.lastVersion = lastVersion
    self.endVersion = endVersion
    self.isPlaceReused = isPlaceReused
  }

  /// Returns whether an event of that version may be about the successor.
  ///
  /// - Parameter version: The version that the event names; nil if it names none that can be compared.
  func mayBe(of version: VersionNumber?) -> Bool {
    guard let version else { return !isPlaceReused && endVersion == nil }
    if let endVersion, version >= endVersion { return false }
    return lastVersion.map { version > $0 } ?? !isPlaceReused
  }
}

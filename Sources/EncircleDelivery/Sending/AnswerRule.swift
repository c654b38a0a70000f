import EncircleEvents
import EncircleText

/// The rule that decides which answers delete events.
public enum AnswerRule: Hashable, Sendable {
  /// 2xx deletes the events. After 400, 413 or 422, each refused event is set aside as rejected, because sending it again
  /// cannot help. All other answers keep the events. So does a 2xx with HTML or XML, because captive portals answer like this
  /// before a login.
  case careful
  /// The rule of sa-sdk-ios 4.8: every answer except 403, 404 and 5xx deletes the events. After 400, 401, 409, 429 or a
  /// redirect, the events are lost.
  case sensors
  /// The rule of sa-sdk-ios 4.8 in its debug modes: every answer deletes.
  case sensorsDebug
  /// 2xx deletes events; every other answer keeps them.
  case success

  /// Returns the outcome of a request for its answer.
  public func outcome(of answer: DeliveryAnswer) -> BatchOutcome {
    let isSuccess = (200...299).contains(answer.status)
    switch self {
    case .careful:
      if isSuccess { return Self.isMarkup(answer.body) ? .kept : .delivered }
      return [400, 413, 422].contains(answer.status) ? .rejected(status: answer.status) : .kept
    case .sensors:
      if isSuccess { return .delivered }
      return SensorsAnswer.keepsEvents(status: answer.status) ? .kept : .lost(status: answer.status)
    case .sensorsDebug:
      return isSuccess ? .delivered : .lost(status: answer.status)
    case .success:
      return isSuccess ? .delivered : .kept
    }
  }

  /// Returns whether a body begins like HTML or XML.
  private static func isMarkup(_ body: [UInt8]) -> Bool {
    body.withoutByteOrderMark.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
  }
}

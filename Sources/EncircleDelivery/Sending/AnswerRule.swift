import EncircleEvents

/// Which answers delete events.
public enum AnswerRule: Hashable, Sendable {
  /// Nothing is deleted but by 2xx. Events with 400, 413 or 422, which no repetition can mend, are set aside as rejected,
  /// each by itself. All other answers keep them. So does a 2xx with a page in HTML or XML, which is how captive portals answer
  /// before a login.
  case careful
  /// What sa-sdk-ios 4.8 does: every answer except 403, 404 and 5xx deletes events. After 400, 401, 409, 429 or a redirect they
  /// are lost.
  case sensors
  /// What sa-sdk-ios 4.8 does in its debug modes: every answer deletes.
  case sensorsDebug
  /// 2xx deletes, everything else keeps.
  case success

  /// Returns what becomes of the events of a request after its answer.
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

  /// Returns whether text begins as HTML and XML do.
  private static func isMarkup(_ body: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = body.starts(with: mark) ? body.dropFirst(3) : body[...]
    return text.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
  }
}

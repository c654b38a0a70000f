/// The reaction of Sensors' SDKs to the answer to a request with events.
///
/// Source: sa-sdk-ios 4.8, `SAEventFlush`.
package enum SensorsAnswer {
  /// Returns whether the SDK keeps the events, to send them again. After all other answers it deletes them, whether the
  /// receiver has taken them or not: after 400, 401, 413 and 429, too.
  ///
  /// - Parameter status: The status of the answer; 0 if there was none.
  package static func keepsEvents(status: Int) -> Bool {
    status == 0 || status == 403 || status == 404 || (500...599).contains(status)
  }
}

import EncircleText

/// What names a device, in the order in which the white paper tries it.
enum DeviceIDs {
  /// The IDFV of a session that names none.
  static let vendor = "11111111-2222-3333-4444-555555555555"
  private static let noAdvertising = "00000000-0000-0000-0000-000000000000"

  /// Returns the anonymous ID of a device: the IDFA, else the IDFV, else a UUID.
  ///
  /// - Parameters:
  ///   - advertising: The IDFA; all zeros is none, as where tracking is limited.
  ///   - vendor: The IDFV.
  ///   - uuids: The number of UUIDs so far, which is counted up when one is made. In a session they are numbered.
  static func anonymousID(advertising: String?, vendor: String?, uuids: inout Int) -> String {
    if let advertising, !advertising.utf8.isEmpty, !sameText(advertising, noAdvertising) { return advertising }
    if let vendor, !vendor.utf8.isEmpty { return vendor }
    uuids += 1
    let number = String(uuids)
    return "UUID-" + String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
  }
}

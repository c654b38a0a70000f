/// The IDFVs that a device gives to the apps of one vendor.
///
/// An IDFV stays the same while any app of the vendor is installed. After the last of them is deleted, the device makes a new one.
struct VendorIDs {
  /// The IDFV of a session that does not name one.
  static let usual = "11111111-2222-3333-4444-555555555555"

  /// The number of other apps of the vendor that are installed.
  var apps: Int
  private var count = 0

  init(apps: Int) { self.apps = apps }

  /// Returns the IDFV of an app that was deleted and installed again; nil if the device has none. New IDs are numbered, so that
  /// results are reproducible.
  mutating func afterReinstallation(_ id: String?) -> String? {
    guard let id, !id.utf8.isEmpty, apps == 0 else { return id }
    count += 1
    return "IDFV-\(count)"
  }
}

import EncircleEvents
import EncircleText

/// The facts about a device that the models of docs/articles.md ask for.
struct ReplayedDevice {
  private var advertisingID: String?
  private var vendorID: String?
  private var vendor: VendorIDs
  private(set) var properties = EventObject()
  private var uuids = NumberedUUIDs()

  private static let noAdvertising = "00000000-0000-0000-0000-000000000000"
  /// The hardware address of the network that every device reports.
  private static let hardwareAddress = "02:00:00:00:00:00"

  init(_ configuration: SessionConfiguration) {
    advertisingID = configuration.advertisingID
    vendorID = configuration.vendorID ?? VendorIDs.usual
    vendor = VendorIDs(apps: configuration.vendorApps)
  }

  mutating func change(_ signal: DeviceSignal) {
    if let id = signal.advertisingID { advertisingID = id }
    if let id = signal.vendorID { vendorID = id }
    if let apps = signal.vendorApps { vendor.apps = apps }
    if let own = signal.properties { properties.merge(own) }
  }

  /// Deletes the app and installs it again.
  mutating func reinstallApp() { vendorID = vendor.afterReinstallation(vendorID) }

  /// Returns the ID of the first scheme that the device has one for; a UUID if it has none. In a session UUIDs are numbered.
  ///
  /// An IDFA of zeros, which a device reports while tracking is limited, counts as missing.
  mutating func id(_ schemes: [IDScheme]) -> String {
    for scheme in schemes {
      let id: String? =
        switch scheme {
        case .idfa: sameText(advertisingID, Self.noAdvertising) ? nil : advertisingID
        case .idfv: vendorID
        case .uuid: uuids.next()
        case .mac: Self.hardwareAddress
        case .udid, .imei: nil
        }
      if let id, !id.utf8.isEmpty { return id }
    }
    return uuids.next()
  }
}

import EncircleEvents
import EncircleText

/// A device: the IDs that it gives an app, and its properties.
struct ReplayedDevice {
  // Nil if the app does not request it or the user does not allow it.
  private var advertisingID: String?
  private var vendorID: String? = VendorIDs.usual
  private var uuids = NumberedUUIDs()
  private var vendor: VendorIDs
  private(set) var properties = EventObject()

  private static let noAdvertising = "00000000-0000-0000-0000-000000000000"
  /// The hardware address of the network that every device reports.
  private static let hardwareAddress = "02:00:00:00:00:00"

  init(_ configuration: SessionConfiguration) {
    vendor = VendorIDs(apps: configuration.vendorApps)
    change(DeviceSignal(advertisingID: configuration.advertisingID, vendorID: configuration.vendorID))
  }

  /// Applies the values that the signal names; an empty text removes an ID.
  mutating func change(_ signal: DeviceSignal) {
    if let id = signal.advertisingID { advertisingID = id.utf8.isEmpty ? nil : id }
    if let id = signal.vendorID { vendorID = id.utf8.isEmpty ? nil : id }
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
      if let id { return id }
    }
    return uuids.next()
  }

  /// Returns the ID that the Sensors SDK gives an unknown user: the IDFA, unless tracking is limited, else the IDFV, else a new
  /// UUID.
  mutating func anonymousID() -> String {
    // If tracking is limited, the IDFA consists of zeros.
    if let advertisingID, !advertisingID.utf8.starts(with: "00000000".utf8) { return advertisingID }
    return vendorID ?? uuids.next()
  }

  /// Returns the identity of the device for the Sensors SDK: the IDFV, or a UUID.
  mutating func identity() -> (id: String, isVendorID: Bool) {
    if let vendorID { return (vendorID, true) }
    return (uuids.next(), false)
  }
}

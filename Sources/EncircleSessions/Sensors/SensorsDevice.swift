import EncircleEvents
import EncircleText

/// The IDs that a device gives an app.
struct SensorsDevice {
  // Nil if the app does not request it or the user does not allow it.
  private var advertisingID: String?
  private var vendorID: String? = VendorIDs.usual
  private var uuids = NumberedUUIDs()
  private var vendor: VendorIDs
  /// The properties of the device.
  private(set) var properties = EventObject()

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

  /// Returns the ID for an unknown user: the IDFA, unless tracking is limited, else the IDFV, else a new UUID.
  mutating func anonymousID() -> String {
    // If tracking is limited, the IDFA consists of zeros.
    if let advertisingID, !advertisingID.utf8.starts(with: "00000000".utf8) { return advertisingID }
    return vendorID ?? uuids.next()
  }

  /// Returns the identity of the device: the IDFV, or a UUID.
  mutating func identity() -> (id: String, isVendorID: Bool) {
    if let vendorID { return (vendorID, true) }
    return (uuids.next(), false)
  }
}

import EncircleEvents

/// The network from now on.
public struct NetworkSignal: Sendable {
  /// The kinds of networks that SDKs distinguish.
  public enum Kind: String, CaseIterable, Sendable {
    case wifi = "WIFI"
    case mobile2G = "2G"
    case mobile3G = "3G"
    case mobile4G = "4G"
    case mobile5G = "5G"
  }

  /// This is true if there is a network.
  public var isUp: Bool
  public var kind = Kind.wifi
}

/// The answers of the event receiver from now on.
public struct ReceiverSignal: Sendable {
  /// The status; 0 if there is no answer.
  public var status: Int
  /// The number of requests that get this status before it is 200 again; nil for all requests.
  public var count: Int?
  /// This is true if the receiver delays its answers until a later signal gives them.
  public var isSlow = false
}

/// The device's IDs and properties from now on; nil leaves a value unchanged, an empty ID removes it.
public struct DeviceSignal: Sendable {
  /// The IDFA, which all apps of the device share.
  public var advertisingID: String?
  /// The IDFV, which the apps of one vendor share.
  public var vendorID: String?
  /// The anonymous ID in the keychain, which the apps of one team may share.
  public var keychainID: String?
  /// The number of other apps of the vendor on the device. If it is 0, the app gets a new IDFV after it was deleted.
  public var vendorApps: Int?
  /// The properties of the device and the system, by the names of preset properties.
  public var properties: EventObject?
}

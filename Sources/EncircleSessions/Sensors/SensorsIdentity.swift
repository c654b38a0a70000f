import EncircleEvents
import EncircleText

/// The identity of the app's user: the anonymous ID, the login and further identities.
struct SensorsIdentity {
  /// The state that outlives the process.
  struct Stored {
    var anonymousID: String?
    var loginID: String?
    var loginKey: String?
    var identities: EventObject?
  }

  static let loginKey = "$identity_login_id"
  private static let anonymousKey = "$identity_anonymous_id"
  private static let deviceKey = "$identity_idfv"
  private static let uuidKey = "$identity_ios_uuid"
  private static let cookieKey = "$identity_cookie_id"

  private(set) var anonymousID: String
  /// The login as events contain it: with its key, unless that is the default key.
  private(set) var loginID: String?
  private(set) var loginKey: String
  private var plainLoginID: String?
  private(set) var identities: EventObject
  private var removedIdentity: EventObject?

  /// Restores the identity that earlier processes have stored.
  ///
  /// - Parameters:
  ///   - stored: The contents of the files, updated by this call.
  ///   - keychainID: The anonymous ID in the keychain, which takes precedence and survives a reinstallation.
  ///   - device: The source of IDs if none are stored.
  init(_ stored: inout Stored, keychainID: inout String?, device: inout ReplayedDevice) {
    loginKey = stored.loginKey ?? Self.loginKey
    var identities = stored.identities ?? EventObject()
    if identities[Self.deviceKey] == nil, identities[Self.uuidKey] == nil {
      let (id, isVendorID) = device.identity()
      identities.set(isVendorID ? Self.deviceKey : Self.uuidKey, .string(id))
    }
    let own = Self.deviceIdentities(of: identities)
    if let login = stored.loginID {
      if !sameText(identities.text(loginKey), login) {
        identities = own
        identities.set(loginKey, .string(login))
      }
      stored.loginKey = loginKey
    } else {
      if identities[loginKey] != nil { identities = own }
      stored.loginKey = nil
    }
    anonymousID = keychainID ?? stored.anonymousID ?? device.anonymousID()
    stored.anonymousID = anonymousID
    keychainID = anonymousID
    plainLoginID = stored.loginID
    loginID = plainLoginID.map { [loginKey] in Self.joined($0, key: loginKey) }
    if identities[Self.anonymousKey] == nil { identities.set(Self.anonymousKey, .string(anonymousID)) }
    self.identities = identities
  }

  /// The state to store.
  var stored: Stored {
    Stored(
      anonymousID: anonymousID, loginID: plainLoginID, loginKey: plainLoginID == nil ? nil : loginKey,
      identities: identities)
  }

  /// The ID of the user that events are about.
  var distinctID: String {
    if let loginID, !loginID.utf8.isEmpty { return loginID }
    return anonymousID
  }

  private static func deviceIdentities(of identities: EventObject) -> EventObject {
    var result = EventObject()
    for key in [deviceKey, uuidKey] { result.set(key, identities[key]) }
    return result
  }

  private static func joined(_ id: String, key: String) -> String {
    sameText(key, Self.loginKey) ? id : "\(key)+\(id)"
  }

  // MARK: - Anonymous ID

  /// Sets the anonymous ID; returns whether it changed.
  mutating func identify(_ id: String?) -> Bool {
    guard let id, !id.utf8.isEmpty, !sameText(id, anonymousID) else { return false }
    setAnonymousID(id)
    return true
  }

  mutating func resetAnonymousID(to id: String) { setAnonymousID(id) }

  private mutating func setAnonymousID(_ id: String) {
    anonymousID = id
    identities.set(Self.anonymousKey, .string(id))
  }

  // MARK: - Login

  /// Returns whether a login would change anything and is allowed.
  func canLogIn(_ id: String?, key: String) -> Bool {
    guard SensorsName(key).isKept, !Self.isReserved(key) else { return false }
    guard let id, !id.utf8.isEmpty, !sameText(id, anonymousID) else { return false }
    return !(sameText(key, loginKey) && sameText(id, plainLoginID))
  }

  mutating func logIn(_ id: String, key: String) {
    loginID = Self.joined(id, key: key)
    plainLoginID = id
    loginKey = key
    identities.set(key, .string(id))
  }

  mutating func logOut() {
    clearLogin()
    forgetOtherIdentities()
  }

  private mutating func clearLogin() {
    loginID = nil
    plainLoginID = nil
    loginKey = Self.loginKey
  }

  /// Removes all identities but the device's and the login.
  mutating func forgetOtherIdentities() {
    identities = Self.deviceIdentities(of: identities)
    if let plainLoginID { identities.set(loginKey, .string(plainLoginID)) }
  }

  // MARK: - Further identities

  /// Returns whether the app can neither log in with a key nor bind it.
  private static func isReserved(_ key: String) -> Bool {
    [deviceKey, uuidKey, anonymousKey].contains { sameText($0, key) }
  }

  private static func isValid(_ key: String, _ value: String?) -> Bool {
    guard SensorsName(key).isKept, !sameText(key, anonymousKey), !sameText(key, loginKey) else { return false }
    return !(value ?? "").utf8.isEmpty
  }

  func canBind(_ key: String?, _ value: String?) -> Bool {
    guard let key, !Self.isReserved(key), !sameText(key, loginKey) else { return false }
    return Self.isValid(key, value)
  }

  mutating func bind(_ key: String, _ value: String) { identities.set(key, .string(value)) }

  func canUnbind(_ key: String?, _ value: String?) -> Bool { key.map { Self.isValid($0, value) } ?? false }

  mutating func unbind(_ key: String, _ value: String) {
    removedIdentity = EventObject([.init(name: key, value: .string(value))])
    let isDevice = sameText(key, Self.deviceKey) || sameText(key, Self.uuidKey)
    guard sameText(identities.text(key), value), !isDevice else { return }
    if sameText("\(key)+\(value)", loginID) { clearLogin() }
    identities.set(key, nil)
  }

  // MARK: - Identities of an event

  /// Returns the identities for an event of the app. Logging in leaves only the login for later events.
  mutating func identities(for types: SensorsEventTypes) -> EventObject {
    var result = identities
    if types.contains(.unbind) {
      result = removedIdentity ?? EventObject()
      removedIdentity = nil
    }
    if types.contains(.signUp) { forgetOtherIdentities() }
    return result
  }

  /// Returns the identities for an event of a web page.
  mutating func merged(_ web: EventObject?, for types: SensorsEventTypes) -> EventObject {
    if types.contains(.unbind) {
      guard let member = web?.members.first, case .string(let value) = member.value, canUnbind(member.name, value)
      else { return EventObject() }
      unbind(member.name, value)
      return web ?? EventObject()
    }
    var result = web ?? EventObject()
    result.set(Self.deviceKey, nil)
    result.set(Self.uuidKey, nil)
    result.merge(identities)
    if types.contains(.signUp), web == nil || web?[loginKey] != nil { forgetOtherIdentities() }
    if types.contains(.bind) {
      identities = result
      identities.set(Self.cookieKey, nil)
    }
    return result
  }

  /// Returns the identities with the event's anonymous ID.
  static func completed(_ identities: EventObject, anonymousID: String?) -> EventObject {
    var result = identities
    result.set(anonymousKey, anonymousID.map { .string($0) })
    return result
  }
}

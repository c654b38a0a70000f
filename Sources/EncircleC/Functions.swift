// Swift 6.3 can check functions for C against their declarations in a header.
#if compiler(>=6.3)
  import CEncircle
  import EncircleText

  // The functions of encircle.h, where they are documented; the compiler checks that both agree.

  // MARK: - Versions

  @c @implementation public func encircle_abi_version() -> UInt32 { UInt32(ENCIRCLE_ABI_VERSION) }

  @c @implementation public func encircle_version() -> UnsafePointer<CChar>? {
    UnsafeRawPointer(LibraryVersion.text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  // MARK: - Rules

  @c @implementation public func encircle_rules_create() -> OpaquePointer? { pointer(to: RulesHandle()) }

  @c @implementation public func encircle_rules_load(
    _ rules: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ length: Int, _ version: UnsafePointer<CChar>?
  ) -> encircle_status {
    guard let handle: RulesHandle = object(rules) else { return ENCIRCLE_INVALID_ARGUMENT }
    guard length >= 0, bytes != nil || length == 0 else {
      handle.error.set(length < 0 ? impossible(length) : "a null pointer in place of rules")
      return ENCIRCLE_INVALID_ARGUMENT
    }
    return handle.load(
      Array(UnsafeRawBufferPointer(start: bytes, count: length)), version: version.map { String(cString: $0) } ?? "")
  }

  @c @implementation public func encircle_rules_count(_ rules: OpaquePointer?) -> Int {
    let handle: RulesHandle? = object(rules)
    return handle?.loaded?.matcher.ruleCount ?? 0
  }

  @c @implementation public func encircle_rules_last_error(_ rules: OpaquePointer?) -> encircle_text {
    let handle: RulesHandle? = object(rules)
    return handle?.error.text ?? noHandle
  }

  @c @implementation public func encircle_rules_destroy(_ rules: OpaquePointer?) { release(rules, RulesHandle.self) }

  // MARK: - Deciding

  @c @implementation public func encircle_decider_create(_ rules: OpaquePointer?) -> OpaquePointer? {
    let handle: RulesHandle? = object(rules)
    return handle?.loaded.map { pointer(to: DeciderHandle($0)) }
  }

  @c @implementation public func encircle_decide(
    _ decider: OpaquePointer?, _ event: UnsafePointer<CChar>?, _ length: Int,
    _ decision: UnsafeMutablePointer<encircle_text>?
  ) -> encircle_status {
    answer(decider, event, length, decision) { $0.decide($1) }
  }

  @c @implementation public func encircle_decide_batch(
    _ decider: OpaquePointer?, _ lines: UnsafePointer<CChar>?, _ length: Int,
    _ decisions: UnsafeMutablePointer<encircle_text>?
  ) -> encircle_status {
    answer(decider, lines, length, decisions) { $0.decide(lines: $1) }
  }

  @c @implementation public func encircle_decide_columns(
    _ decider: OpaquePointer?, _ schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?,
    _ out_schema: UnsafeMutablePointer<ArrowSchema>?, _ out_array: UnsafeMutablePointer<ArrowArray>?
  ) -> encircle_status {
    guard let handle: DeciderHandle = object(decider) else { return ENCIRCLE_INVALID_ARGUMENT }
    guard let schema, let array, let out_schema, let out_array else {
      handle.error.set("a null pointer in place of columns")
      return ENCIRCLE_INVALID_ARGUMENT
    }
    return handle.decide(schema, array, out_schema, out_array)
  }

  @c @implementation public func encircle_explain(
    _ decider: OpaquePointer?, _ event: UnsafePointer<CChar>?, _ length: Int,
    _ explanation: UnsafeMutablePointer<encircle_text>?
  ) -> encircle_status {
    answer(decider, event, length, explanation) { $0.explain($1) }
  }

  @c @implementation public func encircle_decider_last_error(_ decider: OpaquePointer?) -> encircle_text {
    let handle: DeciderHandle? = object(decider)
    return handle?.error.text ?? noHandle
  }

  @c @implementation public func encircle_decider_destroy(_ decider: OpaquePointer?) {
    release(decider, DeciderHandle.self)
  }

  // MARK: - Handles

  /// The error text for a null handle, which cannot keep one itself.
  private var noHandle: encircle_text {
    let text: StaticString = "a null pointer in place of a handle"
    return encircle_text(
      bytes: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), length: text.utf8CodeUnitCount)
  }

  /// Returns the error text for a length in C that is negative in Swift.
  private func impossible(_ length: Int) -> String {
    "a length of \(UInt(bitPattern: length)) bytes, which is more than memory can hold"
  }

  private func pointer(to object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  private func object<Handle: AnyObject>(_ pointer: OpaquePointer?) -> Handle? {
    pointer.map { Unmanaged<Handle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }

  private func release<Handle: AnyObject>(_ pointer: OpaquePointer?, _: Handle.Type) {
    if let pointer { Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release() }
  }

  /// Calls a function that answers a text with a text.
  private func answer(
    _ decider: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ length: Int,
    _ result: UnsafeMutablePointer<encircle_text>?,
    _ body: (DeciderHandle, UnsafeBufferPointer<UInt8>) -> encircle_status
  ) -> encircle_status {
    guard let handle: DeciderHandle = object(decider) else { return ENCIRCLE_INVALID_ARGUMENT }
    guard length >= 0, bytes != nil || length == 0, let result else {
      handle.error.set(length < 0 ? impossible(length) : "a null pointer in place of a text")
      return ENCIRCLE_INVALID_ARGUMENT
    }
    let text = UnsafeRawBufferPointer(start: bytes, count: length).bindMemory(to: UInt8.self)
    let status = body(handle, text)
    if status == ENCIRCLE_OK { result.pointee = handle.result.text }
    return status
  }
#endif

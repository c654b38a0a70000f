import EncircleRules

/// Loads changed compiled rules with a correct checksum, and decides events with them.
func readCompiledRules(_ input: [UInt8]) -> CInt {
  let bytes = sealed(Edits(input: input).applied(to: compiled))
  do throws(CompiledRulesError) {
    let matcher = try Matcher(compiled: bytes, dictionary: dictionary)
    for number in 0..<matcher.ruleCount { _ = (matcher.ruleID(number), matcher.isExclude(number)) }
    let decisions = matcher.decide(fixedEvents)
    precondition(decisions == matcher.decide(fixedEvents), "a decision is the same again")
    // Loaded rules can be saved. The bytes may differ, because the file may have been changed where nothing is read.
    let again = try Matcher(compiled: matcher.compiled(), dictionary: dictionary)
    precondition(again.decide(fixedEvents) == decisions, "what was saved decides otherwise")
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  return 0
}

private let compiled: [UInt8] = {
  guard let bytes = try? Matcher(ruleSetOfEveryKind, dictionary: dictionary).compiled() else {
    preconditionFailure("rules that have not been updated can be saved")
  }
  return bytes
}()

/// Returns the file with its length and the checksum of everything after the header.
private func sealed(_ file: [UInt8]) -> [UInt8] {
  guard file.count >= 64 else { return file }
  var file = file
  let sum = checksum(file[64...])
  for i in 0..<8 {
    file[16 + i] = UInt8(truncatingIfNeeded: file.count >> (8 * i))
    file[24 + i] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * i))
  }
  return file
}

/// Returns the hash that seals compiled rules, which detects damage but not malice.
private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
  func word(_ offset: Int) -> UInt64 {
    bytes[bytes.startIndex + offset..<bytes.startIndex + offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
  let seed: UInt64 = 0x656E_6369_7263_6C65
  let (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03)
  func mix(_ a: UInt64, _ b: UInt64) -> UInt64 { fold(a ^ first, b ^ second) &+ a }
  let count = bytes.count
  // A shorter rest is refused before its checksum counts.
  guard count >= 16 else { return 0 }
  var a = seed ^ UInt64(count)
  var b = ~a
  var place = 0
  while place + 32 <= count {
    a = fold(a ^ word(place), word(place + 8) ^ (seed ^ first))
    b = fold(b ^ word(place + 16), word(place + 24) ^ (seed &+ second))
    place += 32
  }
  if place + 16 <= count { a = fold(a ^ word(place), word(place + 8) ^ (seed ^ first)) }
  return mix(a, fold(b ^ word(count - 16), word(count - 8) ^ (seed ^ first)))
}

/// The random UUIDs of a session. They are numbered, so that results are reproducible.
struct NumberedUUIDs {
  private var count = 0

  mutating func next() -> String {
    count += 1
    let number = String(count)
    return "UUID-" + String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
  }
}

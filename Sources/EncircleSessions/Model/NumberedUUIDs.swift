import EncircleText

/// The random UUIDs of a session. They are numbered, so that results are reproducible.
struct NumberedUUIDs {
  private var count = 0

  mutating func next() -> String {
    count += 1
    return "UUID-" + zeroPadded(count, to: 4)
  }
}

/// The places of a projection whose values make the digest of an event, and the key of the digests.
///
/// Plain memory that the projection owns. Arrays, and the projection itself, would be retained and released for each event, and
/// threads that share a matcher would wait for each other there.
struct KeyPlaces: BitwiseCopyable, @unchecked Sendable {
  let places: UnsafeBufferPointer<Int>
  let fallbacks: UnsafeBufferPointer<EventProjection.KeyFallback>
  // Access to the static property takes time.
  let key = EventDigest.processKey

  init(_ places: [Int], _ fallbacks: [EventProjection.KeyFallback]) {
    self.places = Self.copy(places)
    self.fallbacks = Self.copy(fallbacks)
  }

  private static func copy<Place: BitwiseCopyable>(_ places: [Place]) -> UnsafeBufferPointer<Place> {
    let copy = UnsafeMutableBufferPointer<Place>.allocate(capacity: places.count)
    _ = copy.initialize(from: places)
    return UnsafeBufferPointer(copy)
  }

  /// Gives the memory back.
  func deallocate() {
    places.deallocate()
    fallbacks.deallocate()
  }
}

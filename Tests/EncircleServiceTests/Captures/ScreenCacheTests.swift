import EncircleIdentity
import EncircleTestSupport
import Testing

@testable import EncircleService

@Suite struct ScreenCacheTests {
  private func screen(_ id: String) throws -> StoredScreen {
    StoredScreen(id: id, name: id, page: nil, appVersion: nil, identified: try Screens.of("<view class='A'/>"))
  }

  @Test func `the cache keeps recently used screens up to its size`() throws {
    let cache = ScreenCache(limit: 30)
    for id in ["a", "b", "c"] { cache.insert(try screen(id), cost: 10, cache.generation, evicting: true) }
    _ = cache["a"]
    cache.insert(try screen("d"), cost: 10, cache.generation, evicting: true)
    #expect(["a", "b", "c", "d"].map { cache[$0] != nil } == [true, false, true, true])
    cache.insert(try screen("e"), cost: 31, cache.generation, evicting: true)
    #expect(cache["e"] == nil && cache["a"] != nil)
  }

  @Test func `a walk through all captures evicts none`() throws {
    let cache = ScreenCache(limit: 20)
    for id in ["a", "b"] { cache.insert(try screen(id), cost: 10, cache.generation, evicting: true) }
    cache.insert(try screen("c"), cost: 10, cache.generation, evicting: false)
    #expect(["a", "b", "c"].map { cache[$0] != nil } == [true, true, false])
  }

  @Test func `a screen removed while it is read does not come back`() throws {
    let cache = ScreenCache(limit: 100)
    let generation = cache.generation
    cache.remove("a")
    cache.insert(try screen("a"), cost: 10, generation, evicting: true)
    #expect(cache["a"] == nil)
    cache.insert(try screen("a"), cost: 10, cache.generation, evicting: true)
    cache.remove("a")
    #expect(cache["a"] == nil)
  }
}

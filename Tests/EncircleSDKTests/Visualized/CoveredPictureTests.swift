import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct CoveredPictureTests {
  /// A page of 32 × 48 points with a field, and pictures of it of 64 × 96 pixels: the field is empty, it has text, and it has
  /// text in a progressive file.
  private func message(_ picture: String, _ field: [Double]? = [8, 16, 16, 16]) -> [UInt8] {
    let objects = [
      MadeMessage.view("$1", ["UIWindow"], path: "UIWindow", in: [0, 0, 32, 48], subelements: ["$2"]),
      MadeMessage.view("$2", ["UITextField", "UIControl"], path: "UIWindow/UITextField[0]", in: field),
    ]
    return MadeMessage.body(objects: objects, ["screenshot": picture])
  }

  private func picture(_ body: [UInt8], limits: SnapshotLimits = SnapshotLimits()) throws -> CoveredPicture {
    try CoveredPicture(of: try #require(try MadeMessage.read(body)), limits: limits)
  }

  private func problem(_ body: [UInt8], limits: SnapshotLimits = SnapshotLimits()) throws -> CoveredPicture.Problem? {
    let snapshot = try #require(try MadeMessage.read(body))
    do throws(CoveredPicture.Problem) {
      _ = try CoveredPicture(of: snapshot, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func `pictures that differ in what was typed are the same when it is covered`() throws {
    let empty = try picture(message(Self.empty))
    let filled = try picture(message(Self.filled))
    let progressive = try picture(message(Self.progressive))
    #expect(Self.empty != Self.filled)
    #expect(empty.bytes == filled.bytes)
    #expect(empty.bytes == progressive.bytes)
    #expect(empty.width == 64 && empty.height == 96)
    // Covering again changes nothing.
    #expect(try picture(message(Data(empty.bytes).base64EncodedString())).bytes == empty.bytes)
  }

  @Test func `nothing but the picture is kept`() throws {
    #expect(try Data(#require(Data(base64Encoded: Self.empty))).range(of: Data("camera".utf8)) != nil)
    #expect(try Data(picture(message(Self.empty)).bytes).range(of: Data("camera".utf8)) == nil)
  }

  @Test func `a field off the screen covers nothing`() throws {
    let empty = try picture(message(Self.empty, [0, 0, 0, 0]))
    let filled = try picture(message(Self.filled, [0, 0, 0, 0]))
    #expect(empty.bytes != filled.bytes)
    #expect(try picture(message(Self.empty, [-1e6, 500, 1e6, 1e6])).bytes == empty.bytes)
  }

  @Test func `a field whose place is not certain costs the picture`() throws {
    #expect(try problem(message(Self.empty, nil)) == .uncertain)
    let objects = [
      MadeMessage.view("$1", ["UIWindow"], path: "UIWindow", in: [0, 0, 48, 32], subelements: ["$2"]),
      MadeMessage.view("$2", ["UITextField", "UIControl"], path: "UIWindow/UITextField[0]", in: [0, 0, 9, 9]),
    ]
    #expect(try problem(MadeMessage.body(objects: objects, ["screenshot": Self.empty])) == .uncertain)
  }

  @Test func `invalid, broken and huge pictures are dropped`() throws {
    #expect(try problem(message("")) == .missing)
    #expect(try problem(message("?")) == .tooLarge)
    #expect(try problem(message(Data("no picture at all".utf8).base64EncodedString())) == .unreadable)
    var limits = SnapshotLimits()
    limits.screenshotPixels = 64 * 96 - 1
    #expect(try problem(message(Self.empty), limits: limits) == .tooLarge)
    var claims = try [UInt8](#require(Data(base64Encoded: Self.empty)))
    let frame = try #require(claims.indices.first { claims[$0] == 0xFF && claims[$0 + 1] == 0xC0 })
    for i in 5..<9 { claims[frame + i] = 0x7F }
    #expect(try problem(message(Data(claims).base64EncodedString())) == .tooLarge)
  }

  @Test func `changed bytes of a picture never do more than end in an error`() throws {
    var generator = SeededGenerator(seed: 7)
    var limits = SnapshotLimits()
    limits.screenshotPixels = 100_000
    for text in [Self.filled, Self.progressive] {
      let bytes = try [UInt8](#require(Data(base64Encoded: text)))
      for _ in 0..<TestSize.scaled(1_000) {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
          changed[Int.random(in: 2..<changed.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if generator.oneIn(4) { changed.removeLast(Int.random(in: 1..<changed.count, using: &generator)) }
        _ = try problem(message(Data(changed).base64EncodedString()), limits: limits)
      }
    }
  }

  // Made by libjpeg with quality 50.
  private static let empty = """
    /9j/4AAQSkZJRgABAQAAAQABAAD//gAXY29tbWVudCBvZiB0aGUgY2FtZXJh/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3\
    QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
    Y2NjY2NjY2NjY2NjY2Nj/8AAEQgAYABAAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQE\
    AAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp\
    anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/E\
    AB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1Lw\
    FWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ip\
    qrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwDAQACEQMRAD8A4pVqVVoValVa9lsVOQKtSqtCrUirWTZ3\
    05CqtSKtCrUqrWTZ305Aq1Kq0KtSqtZNnfTkYSrUqrQq1Iq11NnxlOQKtSqtCrUqrWTZ305Aq1Kq0KtSKtZNnfTkKq1Iq0KtSqtZNnfTkYSrUqrQ\
    q1Kq11NnxlOR6xRRRXAdoUUUUAedKtSqtCrUirQ2fQU5GGq1Iq0KtSqtdTZ8XTken0UUVynqBRRRQBwarUqrQq1Kq1k2e1TkYSrUqrQq1Iq11Nnx\
    dOQqrUirQq1Kq1k2d9OQKtSqtCrUqrWTZ305Aq1Kq0irUqrWTZ305GEq1Kq0KtSqtdTZ8ZTkCrUqrQq1Iq1k2d9OQqrUirQq1Kq1k2d9OQKtSqtC\
    rUqrWTZ305H/2Q==
    """
  private static let filled = """
    /9j/4AAQSkZJRgABAQAAAQABAAD//gAXY29tbWVudCBvZiB0aGUgY2FtZXJh/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3\
    QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
    Y2NjY2NjY2NjY2NjY2Nj/8AAEQgAYABAAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQE\
    AAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp\
    anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/E\
    AB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1Lw\
    FWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ip\
    qrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwDAQACEQMRAD8A4pVqVVoValVa9lsVOQKtSqtCrUirWTZ3\
    05CqtSKtCrUqrWTZ305Aq1Kq0KtSqtZNnfTkYSrUqrQq1Iq11NnxlOQKtSqtCrUqrWTZ305Aq1Kq0KtSKtZNnfTkKq1Iq0KtSqtZNnfTkYSrUqrQ\
    q1Kq11NnxlOR0nysn/LTyt/+00kDlvwZgWX2LFf4Zl+dwLmRiFVpmAZ0VsrcLywdSo68FgVGSQXQBhJGQhzIoLK0zAqjsuVuF4UowY9eApDHJICO\
    QwjkLflZP+Wnlb/9ppIHLfgzAsvsWK/wzL8/AdoKyqsTpNsRf9RcZC+XgZ2NjIAAJIIyAGLKGiZ0UZVVZUeHYi/6+3wF8vAxvXOQAAQCDkAMFYtE\
    yOrgXMjEKrTMAzorZW4Xlg6lR14LAqMkgugDCSMtVlVYnSbYi/6i4yF8vAzsbGQAASQRkAMWUNEzooBnKtSqtCrUirQ2fQU5GGq1Iq0KtSqtdTZ8\
    XTkbbKqrKjw7EX/X2+Avl4GN65yAACAQcgBgrFomR1cQ5kUFlaZgVR2XK3C8KUYMevAUhjkkBHIYRyFqsqrE6TbEX/UXGQvl4GdjYyAACSCMgBiy\
    homdFGVVWVHh2Iv+vt8BfLwMb1zkAAEAg5ADBWLRMjrynqB8rJ/y08rf/tNJA5b8GYFl9ixX+GZfncC5kYhVaZgGdFbK3C8sHUqOvBYFRkkF0AYS\
    RkIcyKCytMwKo7LlbheFKMGPXgKQxySAjkMI5C35WT/lp5W//aaSBy34MwLL7Fiv8My/OAV1WpVWhVqVVrJs9qnIwlWpVWhVqRVrqbPi6chVWpFW\
    hVqVVrJs76cgValVaFWpVWsmzvpyBVqVVpFWpVWsmzvpyMJVqVVoValVa6mz4ynIFWpVWhVqRVrJs76chVWpFWhVqVVrJs76cgValVaFWpVWsmzv\
    pyP/2Q==
    """
  private static let progressive = """
    /9j/4AAQSkZJRgABAQAAAQABAAD//gAXY29tbWVudCBvZiB0aGUgY2FtZXJh/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3\
    QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
    Y2NjY2NjY2NjY2NjY2Nj/8IAEQgAYABAAwEiAAIRAQMRAf/EABkAAQEBAQEBAAAAAAAAAAAAAAIAAQQFA//EABkBAAMBAQEAAAAAAAAAAAAAAAID\
    BAUAAf/aAAwDAQACEAMQAAAB8Rys8nIaJTB8pjRwOTcWUwolIX6pBRwqbcX0tsQ+tzu5nLtDhUm4vduSqrbO75qYW8Dk3FlMXymFEpC/hU240pA/\
    VIaJyB//xAAXEAEBAQEAAAAAAAAAAAAAAABBIABQ/9oACAEBAAEFAuG05pzTw//EABcRAAMBAAAAAAAAAAAAAAAAAAABAhD/2gAIAQMBAT8Blksl\
    kslkslksl7LJeyyWSyWSyWSyWSz/xAAUEQEAAAAAAAAAAAAAAAAAAABA/9oACAECAQE/AUf/xAAhEAABAwMFAQEAAAAAAAAAAADwAAEhAkFREWFx\
    obIgUP/aAAgBAQAGPwL8K+nbBK39Bdk08VYCE8c04CPnf0FnV9O2CVv6C7Jp4qwEfLxzTgIW/oLOr6dsErf0F2+WnirAQnjmnAQt/QWdX07YJ/D/\
    AP/EAB4QAQADAAIDAQEAAAAAAAAAAAEAESFhcTFBkfCB/9oACAEBAAE/IQgQIECBAgQIECBAgQIECBAgQIECBAgQIECBAgQIExOTlW/rp/a9Hdtg\
    vUHB5sr7nZsBARUOLo/vdlpBAA1Di7H73TaECBAgTaaLwUweKb+b07DE5OVb+un9r0d22C9QcHmyvudmwEBFQ4uj+92WkAgQIEQANQ4ux+902hNp\
    ovBTB4pv5vTsMTk5Vv66f2vR3bYL1BwebK+52bAIECBBARUOLo/vdlpBAA1Di7H73TaE2mi8FMHim/m9OwxOTlW/rp/a9HQgQIECBAgQIECBAgQI\
    ECBAgQIECBAgQIECBAgQIE//2gAMAwEAAgADAAAAEJ4O2IWnRmwAIBAAGouWlWHxJ//EABQRAQAAAAAAAAAAAAAAAAAAAED/2gAIAQMBAT8QQAAA\
    AAAH/8QAFhEBAQEAAAAAAAAAAAAAAAAAAQAQ/9oACAECAQE/EFllllllll1ZdWWWWWWWWW//xAAeEAEAAgEFAQEAAAAAAAAAAAABESEAMVFhgeEg\
    UP/aAAgBAQABPxD8IAAAAAAAAAAA9LH0B4FYEWgAJZYDDWkIlRMCbg7RQTVIAKiSAgxbYHaKCLpABBGQAnysAIwQDLKCJa0IUqDgT0sfQHgVgRaA\
    AllgMNaQiVEwJuDtFBNUgAqJICD5WANgdooIukAEEZACYsjBAMsoIlrQhSoOBPSx9AeBWBFoACWWAw1pCJUTAnwAbg7RQTVIAKiSAgxbYHaKCLpA\
    BBGQAmLIwQDLKCJa0IUqDgT0sfQHgV+GEAAAAAAAAAAA/9k=
    """
}

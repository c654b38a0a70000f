import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct CollectBodyTests {
  private static let event = #"{"event":"A","type":"track","distinct_id":"u","_track_id":1,"time":1700000000000}"#

  private func json(
    _ body: String, query: String? = nil, isJSON: Bool = false, limit: Int = 1 << 20
  ) throws -> String {
    String(
      decoding: try CollectBody.json(of: Array(body.utf8), query: query, isJSON: isJSON, limit: limit), as: UTF8.self)
  }

  /// The text as a form has it.
  private func encoded(_ bytes: [UInt8]) -> (base64: String, escaped: String) {
    let text = Data(bytes).base64EncodedString()
    let escaped = text.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D")
    return (text, escaped)
  }

  @Test func `a form of one event, of a list, compressed or not, is read`() throws {
    let one = encoded(Array(Self.event.utf8))
    let list = encoded(Array("[\(Self.event)]".utf8))
    let zipped = encoded(gzip(Array("[\(Self.event)]".utf8)))
    #expect(try json("data=\(one.escaped)") == Self.event)
    #expect(try json("gzip=0&data_list=\(list.escaped)") == "[\(Self.event)]")
    #expect(try json("gzip=1&data_list=\(zipped.escaped)&instant_event=true") == "[\(Self.event)]")
    #expect(try json("data_list=\(zipped.base64)&gzip=1") == "[\(Self.event)]", "plus signs that are not encoded")
  }

  @Test func `a checksum in the form or in ext must be right, and need not be there`() throws {
    let one = encoded(Array(Self.event.utf8))
    let crc = javaHash(Array(one.base64.utf8))
    #expect(try json("crc=\(crc)&data=\(one.escaped)") == Self.event)
    #expect(try json("data=\(one.escaped)&ext=crc%3D\(crc)") == Self.event)
    #expect(throws: CollectError.damaged("its checksum differs from crc")) {
      try json("crc=\(crc &+ 1)&data=\(one.escaped)")
    }
    #expect(throws: CollectError.damaged("its checksum differs from crc")) {
      try json("data=\(one.escaped)&ext=crc%3Dx")
    }
  }

  @Test func `a query holds an event where there is no body`() throws {
    let one = encoded(Array(Self.event.utf8))
    #expect(try json("", query: "project=default&data=\(one.escaped)") == Self.event)
    #expect(throws: CollectError.noEvents) { try json("", query: "project=default") }
    #expect(throws: CollectError.noEvents) { try json(" \n") }
  }

  @Test func `JSON and lines of JSON are taken as they are, compressed or not`() throws {
    #expect(try json("[\(Self.event)]") == "[\(Self.event)]")
    #expect(try json("\(Self.event)\n\(Self.event)\n") == "\(Self.event)\n\(Self.event)\n")
    #expect(try json("a=b", isJSON: true) == "a=b", "what a request calls JSON is no form")
    let zipped = gzip(Array(Self.event.utf8))
    #expect(try CollectBody.json(of: zipped, limit: 1 << 20) == Array(Self.event.utf8))
  }

  @Test func `encrypted bodies are known by their gzip`() {
    for scheme in ["9", "13", "2"] {
      #expect(throws: CollectError.encrypted("gzip=\(scheme)")) { try json("gzip=\(scheme)&data_list=eyJ9") }
    }
  }

  @Test func `truncated data and invalid Base64 are damaged`() throws {
    let zipped = gzip(Array("[\(Self.event)]".utf8))
    let cut = encoded(Array(zipped.dropLast(9)))
    #expect(throws: CollectError.damaged("broken gzip data: the data ends too early")) {
      try json("gzip=1&data_list=\(cut.escaped)")
    }
    #expect(throws: CollectError.damaged("it is not Base64")) { try json("data_list=%21%21%21%21") }
    #expect(throws: CollectError.damaged("it is not Base64")) { try json("data_list=AAAAA") }
  }

  @Test func `data in a form that is packed or encrypted without a mark is damaged, rather than one reject`() {
    // An empty list that zlib has compressed without gzip's header, and the beginning of an encrypted text.
    for bytes in [[0x78, 0x9C, 0x8B, 0x8E, 0x05, 0x00, 0x01, 0x15, 0x00, 0xB9], Array("U2FsdGVk".utf8)] as [[UInt8]] {
      #expect(
        throws: CollectError.damaged(
          "it is not JSON; events that are packed, encrypted or in Protocol Buffers cannot be read")
      ) { try json("gzip=1&data_list=\(encoded(bytes).escaped)") }
    }
  }

  @Test func `data that decompresses beyond the limit is refused`() throws {
    let bomb = gzip([UInt8](repeating: 0x20, count: 5 << 20))
    #expect(throws: CollectError.tooLarge(limit: 1 << 20)) { try CollectBody.json(of: bomb, limit: 1 << 20) }
    let data = encoded(bomb)
    #expect(throws: CollectError.tooLarge(limit: 1 << 20)) { try json("gzip=1&data_list=\(data.escaped)") }
    #expect(throws: CollectError.tooLarge(limit: 10)) { try json(Self.event, limit: 10) }
  }

  @Test func `doubly compressed data is refused, as the second time would have no limit`() throws {
    let twice = gzip(gzip(Array(Self.event.utf8)))
    let data = encoded(twice)
    for isJSON in [false, true] {
      #expect(throws: CollectError.damaged("it is compressed more than once")) {
        try CollectBody.json(of: twice, isJSON: isJSON, limit: 1 << 20)
      }
    }
    #expect(throws: CollectError.damaged("it is compressed more than once")) { try json("gzip=1&data=\(data.escaped)") }
    // A form may be compressed, and what is in it.
    let inner = encoded(gzip(Array(Self.event.utf8)))
    let form = gzip(Array("gzip=1&data=\(inner.escaped)".utf8))
    #expect(try CollectBody.json(of: form, limit: 1 << 20) == Array(Self.event.utf8))
  }

  @Test func `a form without events is distinguished from one with events`() {
    #expect(throws: CollectError.noEvents) { try json("a=b&c=d") }
    #expect(throws: CollectError.noEvents) { try json("data=&crc=1") }
  }

  @Test func `Base64 is read with both alphabets, without padding, and with line breaks`() {
    #expect(Base64.decode(Array("-_8".utf8)) == [0xFB, 0xFF])
    #expect(Base64.decode(Array("+/8=".utf8)) == [0xFB, 0xFF])
    #expect(Base64.decode(Array("YW\r\nJj".utf8)) == Array("abc".utf8))
    #expect(Base64.decode(Array("YQ==YQ==".utf8)) == nil)
    #expect(Base64.decode([]) == [])
  }

  @Test(.enabled(if: PackageFolder.uploads != nil, "needs the bodies of a real SDK"))
  func `every body of a real SDK gives its original events`() throws {
    let folder = try #require(PackageFolder.uploads)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files where file.pathExtension == "body" {
      let json = try CollectBody.json(of: PackageFolder.bytes(file), limit: 16 << 20)
      let expected = try PackageFolder.bytes(file.deletingPathExtension().appendingPathExtension("json"))
      let (read, made) = try (
        JSONSerialization.jsonObject(with: Data(json)) as? NSArray,
        JSONSerialization.jsonObject(with: Data(expected)) as? NSArray
      )
      #expect(read != nil && read == made, "\(file.lastPathComponent)")
    }
  }
}

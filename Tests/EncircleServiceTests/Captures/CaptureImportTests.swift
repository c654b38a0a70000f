import EncircleTestSupport
import Foundation
import Testing

@Suite struct CaptureImportTests {
  @Test func `captures of a directory are stored once, with pictures that they name or that share their names`()
    async throws
  {
    let captures = try RunningService.newDirectory()
    let data = try RunningService.newDirectory()
    defer { for url in [captures, data] { try? FileManager.default.removeItem(at: url) } }
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
      try Data(bytes).write(to: captures.appendingPathComponent(name))
    }
    func capture(_ screenshot: String) -> Data {
      Data("<viewTree screenshot='\(screenshot)'><view class='UIWindow'/></viewTree>".utf8)
    }
    try write("home.xml", capture("home.png"))
    try write("home.png", Pictures.png())
    try write("outside.xml", capture("../secret.png"))
    try write("own.xml", viewTree("<view class='Own'/>").utf8)
    let folder = captures.appendingPathComponent("screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data(Pictures.png()).write(to: folder.appendingPathComponent("own.png"))
    try write("packed.xml.gz", gzip(Array(viewTree("<view class='A'/>").utf8)))
    try write("broken.xml", "<viewTree>".utf8)
    try write("notes.md", "hello".utf8)
    // An earlier start knew no folder of pictures.
    let pictures = captures.appendingPathComponent("other")
    try FileManager.default.moveItem(at: folder, to: pictures)
    let earlier = try RunningService(directory: data, ["--captures", captures.path])
    let first = try await earlier.get("/v1/captures").object["captures"] as? [[String: Any]] ?? []
    #expect(first.compactMap { $0["has_screenshot"] as? Bool } == [false, false, false, true])
    let log = try earlier.log()
    #expect(log.contains { $0.contains("capture not imported ") && $0.contains("/broken.xml:1:11 ") }, "\(log)")
    #expect(earlier.stop() == 0)
    try FileManager.default.moveItem(at: pictures, to: folder)
    for _ in 1...2 {
      let service = try RunningService(directory: data, ["--captures", captures.path])
      let list = try await service.get("/v1/captures").object["captures"] as? [[String: Any]] ?? []
      #expect(list.compactMap { $0["name"] as? String } == ["packed.xml.gz", "own.xml", "outside.xml", "home.xml"])
      #expect(list.compactMap { $0["has_screenshot"] as? Bool } == [false, true, false, true])
      #expect(service.stop() == 0)
    }
  }

  @Test func `a broken capture that is named ends the start with the place of the error`() throws {
    let folder = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("broken.xml")
    try Data("<viewTree>".utf8).write(to: file)
    #expect { try RunningService(["--captures", file.path]) } throws: {
      ($0 as? RunningService.NotListening)?.log.contains("\(file.path):1:11: ") ?? false
    }
  }

  @Test func `a missing directory ends the start with a message`() throws {
    #expect(throws: RunningService.NotListening.self) { try RunningService(["--captures", "/nowhere/at/all"]) }
  }
}

import Foundation
import Testing
import UIKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import EncircleProbe

/// Answers requests with the status that their path names.
private final class StubProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}
  override func startLoading() {
    guard let url = request.url, let status = Int(url.lastPathComponent),
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocolDidFinishLoading(self)
  }
}

@MainActor @Suite(.serialized) struct ProbeTests {
  private func makeScene(_ id: String, _ state: UIScene.ActivationState, _ windows: [UIWindow]) -> UIWindowScene {
    let scene = UIWindowScene()
    scene.session.persistentIdentifier = id
    scene.activationState = state
    scene.windows = windows
    return scene
  }

  private func makeWindow(_ tag: Int, level: UIWindow.Level = .normal) -> UIWindow {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    window.tag = tag
    window.windowLevel = level
    return window
  }

  @Test("a capture has the windows of all scenes in the foreground, the active one first, from the back to the front")
  func windows() throws {
    UIApplication.shared.connectedScenes = [
      makeScene("b", .foregroundActive, [makeWindow(3, level: .alert), makeWindow(1), makeWindow(2)]),
      makeScene("a", .foregroundInactive, [makeWindow(4)]), makeScene("c", .background, [makeWindow(5)]),
    ]
    let capture = Probe.capture(name: "首页 home/1.2")
    let root = try XMLNode.parse(Data(capture.xml.utf8))
    #expect(root.children.map { $0.attributes["tag"] } == ["1", "2", "3", "4"])
    #expect(capture.name == "---home-1.2")
    #expect(root.attributes["screenshot"] == "---home-1.2.png")
    #expect(root.attributes["version"] == "1")
    #expect(root.attributes["screen"] == "390 844")
    #expect(root.attributes["os"] == "iOS")
    #expect(root.attributes["osVersion"] == "17.2")
    #expect(root.attributes["capturedAt"]?.hasSuffix("Z") == true)
  }

  @Test("without a scene there is a capture without windows, and without a picture")
  func noScene() throws {
    UIApplication.shared.connectedScenes = []
    let capture = Probe.capture()
    #expect(capture.png == nil)
    #expect(try XMLNode.parse(Data(capture.xml.utf8)).children.isEmpty)
  }

  @Test("the picture is written beside the XML")
  func files() throws {
    UIApplication.shared.connectedScenes = [makeScene("a", .foregroundActive, [makeWindow(1)])]
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = try Probe.save(to: directory)
    let name = file.deletingPathExtension().lastPathComponent
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [name + ".png", name + ".xml"])
    #expect(try XMLNode.parse(Data(contentsOf: file)).attributes["screenshot"] == name + ".png")
  }

  @Test("file names are those of files in the directory")
  func names() {
    let names = ["..", "", "../../a", "a\r\nb\"", "home-1_2.v3", String(repeating: "x", count: 300)]
    #expect(
      names.map(Capture.fileName) == [
        "capture", "capture", "..-..-a", "a--b-", "home-1_2.v3", String(repeating: "x", count: 100),
      ])
  }

  @Test("without a picture, a capture is sent as XML")
  func plainRequest() throws {
    let capture = Capture(name: "home", xml: "<viewTree/>", png: nil)
    let request = capture.request(to: try #require(URL(string: "https://example.com/captures")))
    #expect(request.httpMethod == "POST")
    #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/xml; charset=utf-8")
    #expect(request.httpBody == Data("<viewTree/>".utf8))
  }

  @Test("a token is sent as a bearer, and none where none is given")
  func token() throws {
    let capture = Capture(name: "home", xml: "<viewTree/>", png: nil)
    let url = try #require(URL(string: "https://example.com/captures"))
    #expect(capture.request(to: url, token: "t0ken").value(forHTTPHeaderField: "Authorization") == "Bearer t0ken")
    #expect(capture.request(to: url).value(forHTTPHeaderField: "Authorization") == nil)
  }

  @Test("with a picture, a capture is sent as a form of two files")
  func formRequest() throws {
    let capture = Capture(name: "home", xml: "<viewTree/>", png: Data([0x89, 0x0D, 0x0A, 0xFF]))
    let request = capture.request(to: try #require(URL(string: "https://example.com/captures")))
    let type = try #require(request.value(forHTTPHeaderField: "Content-Type"))
    let boundary = try #require(type.components(separatedBy: "multipart/form-data; boundary=").last)
    var expected = Data(
      """
      --\(boundary)\r
      Content-Disposition: form-data; name="capture"; filename="home.xml"\r
      Content-Type: application/xml; charset=utf-8\r
      \r
      <viewTree/>\r
      --\(boundary)\r
      Content-Disposition: form-data; name="screenshot"; filename="home.png"\r
      Content-Type: image/png\r
      \r\n
      """.utf8)
    expected += [0x89, 0x0D, 0x0A, 0xFF]
    expected += Data("\r\n--\(boundary)--\r\n".utf8)
    #expect(request.httpBody == expected)
  }

  @Test("a server's refusal is an error", arguments: [(201, nil), (404, 404)])
  func statuses(status: Int, error: Int?) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    let url = try #require(URL(string: "https://example.com/\(status)"))
    let request = Capture(name: "home", xml: "<viewTree/>", png: nil).request(to: url)
    let result = await withCheckedContinuation { continuation in
      Probe.send(request, in: URLSession(configuration: configuration)) { continuation.resume(returning: $0) }
    }
    #expect((result as? Probe.StatusError)?.status == error)
    #expect((result == nil) == (error == nil))
  }

  @Test("taking a screenshot calls the app")
  func screenshotTrigger() async {
    var observer: NSObjectProtocol?
    await withCheckedContinuation { continuation in
      observer = Probe.onScreenshot { continuation.resume() }
      NotificationCenter.default.post(name: UIApplication.userDidTakeScreenshotNotification, object: nil)
    }
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }
}

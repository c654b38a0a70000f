import EncircleTestSupport
import Foundation

extension RunningService {
  /// Uploads a capture.
  func upload(
    _ capture: some Sequence<UInt8>, _ query: String = "", headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    try await send("POST", "/v1/captures" + query, headers: headers, body: Data(capture))
  }

  /// Uploads a capture of this package; its ID.
  func upload(named name: String) async throws -> String {
    try await upload(PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent(name)), "?name=\(name)")
      .captureID
  }

  /// Uploads a screen with some views, which are given as view-tree XML; its ID.
  func upload(views: String) async throws -> String { try await upload(viewTree(views).utf8).captureID }

  /// Sends a form.
  func uploadForm(_ parts: [FormPart], boundary: String = "----b0undary") async throws -> HTTPAnswer {
    try await upload(
      FormPart.body(parts, boundary: boundary),
      headers: ["Content-Type": "multipart/form-data; boundary=\"\(boundary)\""])
  }
}

extension HTTPAnswer {
  /// The capture of an answer.
  var capture: [String: Any] { object["capture"] as? [String: Any] ?? [:] }
  var captureID: String { capture["id"] as? String ?? "" }
  /// The elements of an answer.
  var elements: [[String: Any]] { object["elements"] as? [[String: Any]] ?? [] }
  var elementNumbers: [Int] { object["elements"] as? [Int] ?? [] }
  /// The place that an error names.
  var errorLocation: [String: Any] { (object["error"] as? [String: Any])?["location"] as? [String: Any] ?? [:] }
  var errorMessage: String { (object["error"] as? [String: Any])?["message"] as? String ?? "" }
}

/// A part of a form.
struct FormPart {
  var name: String
  var content: Data
  var fileName: String?

  init(_ name: String, _ content: some Sequence<UInt8>, file: String? = nil) {
    self.name = name
    self.content = Data(content)
    fileName = file
  }

  static func body(_ parts: [FormPart], boundary: String) -> Data {
    var body = Data()
    for part in parts {
      let file = part.fileName.map { "; filename=\"\($0)\"" } ?? ""
      body += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n".utf8)
      body += Data("Content-Type: application/octet-stream\r\n\r\n".utf8) + part.content + Data("\r\n".utf8)
    }
    return body + Data("--\(boundary)--\r\n".utf8)
  }
}

/// Pictures that are only as good as their markers.
enum Pictures {
  static func png(width: UInt32 = 2, height: UInt32 = 4) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    let header = bytes(13) + Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0] + bytes(0)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + bytes(0) + Array("IEND".utf8) + bytes(0)
  }

  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0] + [0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 4, 0, 2, 1, 0x11, 0] + [0xFF, 0xDA, 0, 2]
    + [1, 0xFF, 0, 0xFF, 0xD0, 2, 0xFF, 0xD9]
}

/// A window with a button that has a label, a field with typed text in it, a hidden view, and a scrolled list.
enum SampleScreen {
  static let views = """
    <view class="UIWindow" frame="0 0 100 200">
      <view class="UIView" frame="0 0 100 200" controller="FirstViewController" controllerTitle="首页">
        <view class="UIButton" frame="10 20 30 40" title="OK" actions="go:" identifier="ok.button">
          <view class="UILabel" frame="5 5 10 10" text="OK"/>
        </view>
        <view class="UITextField" frame="0 70 100 20" text="typed-secret" value="typed-secret" label="typed-secret">
          <view class="UILabel" frame="0 0 100 20" text="typed-secret"/>
        </view>
        <view class="UIButton" frame="10 20 30 40" hidden="true" title="never seen"/>
        <view class="UITableView" frame="0 100 100 100" contentOffset="0 50">
          <view class="C" superclasses="UITableViewCell" indexPath="0 3" frame="0 60 100 20">
            <view class="UISwitch" frame="0 0 20 20" on="true"/>
          </view>
          <view class="C" superclasses="UITableViewCell" indexPath="0 4" frame="0 80 100 20">
            <view class="UISwitch" frame="0 0 20 20"/>
          </view>
        </view>
      </view>
    </view>
    """
  /// Its elements.
  static let (button, label, field, fieldLabel, hidden, table) = (2, 3, 4, 5, 6, 7)
  static let (cell, toggle, secondToggle) = (8, 9, 11)
}

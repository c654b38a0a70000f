import EncircleTestSupport
import Foundation

/// Messages of an app that is circled.
enum AppMessage {
  /// A message about a screen with a label, a field and a button; without a screen, an unchanged one.
  static func body(
    app: String = "com.example.shop", label: String? = "Hello", typed: String = "typed-secret",
    events: [[String: Any]] = [], _ members: [String: Any] = [:]
  ) -> Data {
    var message: [String: Any] = [
      "type": "snapshot_response", "feature_code": "x", "os": "iOS", "lib": "iOS", "lib_version": "4.8.3",
      "app_id": app, "app_version": "5.2.1", "page_name": "HomeViewController", "title": "Home",
      "app_enablevisualizedproperties": true,
    ]
    if let label {
      let objects = [
        view("$1", "UIWindow", "UIWindow", 1, "\(label)-\(typed)", ["$2"]),
        [
          "id": "$2", "class": ["HomeViewController", "UIViewController", "UIResponder", "NSObject"],
          "properties": ["subelements": ["$3"], "element_level": 2],
        ],
        view("$3", "UIView", "UIView", 3, "\(label)-\(typed)", ["$4", "$5", "$6"]),
        view("$4", "UILabel", "UIView/UILabel[0]", 4, label, []),
        view("$5", "UITextField", "UIView/UITextField[0]", 5, typed, []),
        view("$6", "UIButton", "UIView/UIButton[1]", 6, "Buy", []),
      ]
      let payload: [String: Any] = [
        "image_hash": "1", "serialized_objects": ["rootObject": "$1", "objects": objects.shuffled()],
        "event_debug": events,
      ]
      message["gzip_payload"] = Data(gzip([UInt8](json(payload)))).base64EncodedString()
    }
    message.merge(members) { $1 }
    return json(message)
  }

  static func click(_ path: String, content: String) -> [String: Any] {
    [
      "event": "$AppClick", "distinct_id": "d1", "time": 1_795_000_000_000,
      "properties": ["$element_path": path, "$screen_name": "HomeViewController", "$element_content": content],
    ]
  }

  static func json(_ value: Any) -> Data {
    // Invalid JSON is a mistake of the test, which then sends nothing.
    (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
  }

  private static func view(
    _ id: String, _ name: String, _ path: String, _ level: Int, _ content: String, _ subelements: [String]
  ) -> [String: Any] {
    [
      "id": id, "class": [name, "UIView", "UIResponder", "NSObject"],
      "properties": [
        "subelements": subelements, "element_level": level, "element_path": path, "element_content": content,
        "screen_name": "HomeViewController", "enableAppClick": name == "UIButton",
        "frame": ["X": 0, "Y": level * 20, "Width": 100, "Height": 20],
      ],
    ]
  }
}

extension RunningService {
  /// A new connection: its id and the path to which the app posts.
  func connect(_ members: [String: Any] = [:]) async throws -> (id: String, code: String) {
    let answer = try await post("/v1/connections", json: ["scheme": "sa1234"].merging(members) { $1 })
    let connection = answer.object["connection"] as? [String: Any]
    let items = URLComponents(string: answer.object["link"] as? String ?? "")?.queryItems ?? []
    return (connection?["id"] as? String ?? "", items.first { $0.name == "feature_code" }?.value ?? "")
  }

  func postScreen(_ code: String, _ body: Data, headers: [String: String] = [:]) async throws -> HTTPAnswer {
    try await send(
      "POST", "/v1/visualized/\(code)", headers: headers.merging(["Content-Type": "text/plain"]) { $1 }, body: body)
  }

  func connection(_ id: String) async throws -> [String: Any] {
    try await get("/v1/connections/\(id)").object["connection"] as? [String: Any] ?? [:]
  }
}

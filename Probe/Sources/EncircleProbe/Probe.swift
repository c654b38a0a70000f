#if canImport(UIKit)
  import Foundation
  import UIKit

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Captures the screen of the app that it is part of, with everything that the identities of its elements depend on.
  ///
  /// The probe never captures what people typed: it omits the texts of text fields and text views, and everything inside them.
  /// It is for the builds of developers and testers, not for releases.
  ///
  /// ```swift
  /// let file = try Probe.save()
  /// Probe.send(to: URL(string: "https://encircle.example.com/captures")!)
  /// ```
  @MainActor public enum Probe {
    /// Returns the name of an image, if the app knows a better one than the accessibility identifier, which is the default.
    public static var imageName: (@MainActor (UIImage) -> String?)?

    /// Returns true for views whose contents must not be captured, nor the contents of the views inside them.
    public static var isPrivate: (@MainActor (UIView) -> Bool)?

    /// Captures all windows of the app's scenes in the foreground.
    ///
    /// - Parameters:
    ///   - name: The name of the files, by default made of the time. Characters other than ASCII letters, digits, `-`, `_`
    ///     and `.` become `-`.
    ///   - withScreenshot: True to make a picture, too. It covers the views that people type in.
    /// - Complexity: O(views), and the time to draw them.
    public static func capture(name: String? = nil, withScreenshot: Bool = true) -> Capture {
      let scenes = foregroundScenes()
      let windows = scenes.flatMap(orderedWindows)
      let tree = WindowTree(windows, isPrivate: isPrivate)
      let time = ISO8601DateFormatter().string(from: Date())
      let name = Capture.fileName(name ?? "capture-" + time)
      // Only one screen is drawn, because the pictures of two would lie on top of each other.
      let shown = scenes.first.map(orderedWindows) ?? []
      let bounds = scenes.first?.screen.bounds
      let png = withScreenshot ? bounds.flatMap { Screenshot.png(of: shown, tree: tree, bounds: $0) } : nil
      let info = Bundle.main.infoDictionary
      var writer = ViewWriter(imageName: imageName)
      writer.write(
        tree,
        header: [
          ("version", "1"), ("app", Bundle.main.bundleIdentifier),
          ("appVersion", info?["CFBundleShortVersionString"] as? String),
          ("os", UIDevice.current.systemName), ("osVersion", UIDevice.current.systemVersion),
          ("screen", bounds.flatMap(size)), ("capturedAt", time),
          ("screenshot", png == nil ? nil : name + ".png"),
        ])
      return Capture(name: name, xml: writer.xml.text, png: png)
    }

    /// Captures the screen and writes it to files.
    ///
    /// - Parameter directory: By default `Encircle` in the app's documents.
    /// - Returns: The file with the XML; the picture is beside it.
    @discardableResult
    public static func save(to directory: URL? = nil) throws -> URL {
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      let standard = (documents ?? FileManager.default.temporaryDirectory).appendingPathComponent("Encircle")
      return try capture().write(to: directory ?? standard)
    }

    /// Captures the screen and sends it with ``Capture/request(to:token:)``.
    ///
    /// - Parameters:
    ///   - url: The destination: `http://localhost:8080/v1/captures` for the service of `encircle serve`.
    ///   - token: A token of the service that may author; nil for a service without tokens.
    ///   - completion: A closure that is called on the main thread, with nil if the server answered with a status of 200 to 299,
    ///     else with the error.
    public static func send(
      to url: URL, token: String? = nil, completion: (@MainActor @Sendable (Error?) -> Void)? = nil
    ) {
      send(capture().request(to: url, token: token), in: .shared, completion: completion)
    }

    /// The server answered with a status outside of 200 to 299.
    public struct StatusError: Error {
      /// The status.
      public let status: Int
    }

    static func send(
      _ request: URLRequest, in session: URLSession, completion: (@MainActor @Sendable (Error?) -> Void)?
    ) {
      let task = session.dataTask(with: request) { _, response, error in
        var problem = error
        if problem == nil, let status = (response as? HTTPURLResponse)?.statusCode, !(200...299).contains(status) {
          problem = StatusError(status: status)
        }
        guard let completion else { return }
        let result = problem
        Task { @MainActor in completion(result) }
      }
      task.resume()
    }

    /// Calls a closure whenever the user takes a screenshot of the app, so that the app needs no extra button. In the simulator,
    /// choose Device > Trigger Screenshot.
    ///
    /// - Returns: The observer to pass to `NotificationCenter.removeObserver(_:)` to stop this.
    @discardableResult
    public static func onScreenshot(_ action: @escaping @MainActor @Sendable () -> Void) -> NSObjectProtocol {
      NotificationCenter.default.addObserver(
        forName: UIApplication.userDidTakeScreenshotNotification, object: nil, queue: nil
      ) { _ in
        Task { @MainActor in action() }
      }
    }

    /// Returns the scenes that the user sees, the active ones first; all scenes if the user sees none.
    private static func foregroundScenes() -> [UIWindowScene] {
      let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
      // The set has no order.
      let sorted = scenes.sorted { $0.session.persistentIdentifier < $1.session.persistentIdentifier }
      let active = sorted.filter { $0.activationState == .foregroundActive }
      let inactive = sorted.filter { $0.activationState == .foregroundInactive }
      return active.isEmpty && inactive.isEmpty ? sorted : active + inactive
    }

    /// Returns the windows of a scene from the back to the front.
    private static func orderedWindows(of scene: UIWindowScene) -> [UIWindow] {
      scene.windows.enumerated()
        .sorted { ($0.element.windowLevel.rawValue, $0.offset) < ($1.element.windowLevel.rawValue, $1.offset) }
        .map { $0.element }
    }

    private static func size(of bounds: CGRect) -> String? {
      guard let width = XMLText.number(Double(bounds.width)), let height = XMLText.number(Double(bounds.height)) else {
        return nil
      }
      return "\(width) \(height)"
    }
  }
#endif

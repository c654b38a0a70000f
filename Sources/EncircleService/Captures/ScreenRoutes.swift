import Foundation
import Hummingbird

/// Routes for the screens of apps, each with its captures.
struct ScreenRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [Route(method: .get, path: "/v1/screens", operation: "listScreens", role: .read, handler: list)]
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let filter = try CaptureTable.Filter(request)
    let (offset, limit) = try request.listPart()
    let name = request.query("ruleset")
    return try await state.workers.run {
      let screens = AppScreen.grouped(try state.captures.records(filter).records)
      let published = try state.ruleSets.published(name ?? "default")
      if let name, published == nil { throw RuleSetLibrary.unknown(name) }
      let rules = RulesByPage(published)
      return try JSON.response(
        ScreenListAnswer(
          screens: screens.dropFirst(offset).prefix(limit).map { ScreenListAnswer.Item($0, rules: rules) },
          total: screens.count, versions: try state.captures.appVersions()))
    }
  }
}

/// A page of an app, with the captures that show it. A capture that does not name a page is a separate screen.
struct AppScreen: Sendable {
  private(set) var page: String?
  private(set) var title: String
  private(set) var app: String?
  /// The captures, newest first.
  private(set) var captures: [CaptureRecord]

  /// Groups captures by page, in the order of the newest capture of each page.
  ///
  /// - Parameter records: The captures, newest first.
  /// - Complexity: O(captures).
  static func grouped(_ records: [CaptureRecord]) -> [AppScreen] {
    var screens: [AppScreen] = []
    var places: [Data: Int] = [:]
    for record in records {
      // Names are compared by their bytes.
      let key = Data([record.app ?? "", record.page ?? record.id].joined(separator: "\0").utf8)
      if let place = places[key] {
        screens[place].captures.append(record)
      } else {
        places[key] = screens.count
        screens.append(
          AppScreen(page: record.page, title: record.title ?? record.name, app: record.app, captures: [record]))
      }
    }
    return screens
  }

  /// The app's versions, in the order of their newest captures.
  var versions: [String] {
    var versions: [String] = []
    var known: Set<Data> = []
    for version in captures.compactMap(\.appVersion) where known.insert(Data(version.utf8)).inserted {
      versions.append(version)
    }
    return versions
  }
}

private struct ScreenListAnswer: Encodable {
  struct Item: Encodable {
    let screen: AppScreen
    let rules: Int

    init(_ screen: AppScreen, rules: RulesByPage) {
      self.screen = screen
      self.rules = screen.page.map { rules.count(for: $0) } ?? 0
    }

    private enum Key: String, CodingKey { case page, title, app, versions, captures, rules }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Key.self)
      try members.encode(screen.page, forKey: .page)
      try members.encode(screen.title, forKey: .title)
      try members.encode(screen.app, forKey: .app)
      try members.encode(screen.versions, forKey: .versions)
      try members.encode(screen.captures, forKey: .captures)
      try members.encode(rules, forKey: .rules)
    }
  }

  var screens: [Item]
  var total: Int
  /// The app versions of all captures, regardless of the filter, so that readers can offer them.
  var versions: [String]
}

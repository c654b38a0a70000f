import EncircleIdentity
import Testing

@testable import EncircleSDK

/// The page beneath an alert. The SDK lists no view of this page.
@Suite struct AlertPageTests {
  @Test(arguments: [["UINavigationController"], ["UITabBarController"], ["HomeViewController"]])
  func `the page beneath an alert keeps its name and its title, whatever has presented it`(presenter: [String]) throws {
    let path = "UIAlertController/_UIAlertControllerView"
    let title: [String: Any] = ["title": "Home"]
    let objects = [
      MadeMessage.view(
        "$1", ["UIWindow"], path: "UIWindow", in: [0, 0, 390, 844], subelements: ["$2"], title),
      MadeMessage.controller("$2", presenter, ["$3"]),
      MadeMessage.controller("$3", ["UIAlertController"], ["$4"]),
      MadeMessage.view(
        "$4", ["_UIAlertControllerView"], path: path, in: [50, 250, 270, 150], subelements: ["$5"], title),
      MadeMessage.view("$5", ["UILabel"], path: "\(path)/UILabel[0]", content: "Really?", title),
    ]
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    #expect(screen.differences == [])
    let listed = screen.identified.tree.elements.filter { screen.facts[$0.index].isListed }
    #expect(listed.count == 3)
    for element in listed {
      #expect(screen.identified.page(of: element, in: .sensors) == "HomeViewController")
      #expect(screen.identified.pageTitle(of: element, in: .sensors) == "Home")
    }
  }
}

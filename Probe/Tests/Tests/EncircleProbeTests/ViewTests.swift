import Foundation
import Testing
import UIKit

@testable import EncircleProbe

private final class OrderCell: UITableViewCell {}
private final class BannerCell: UICollectionViewCell {}
private class BasePage: UIViewController {}
private final class OrderPage: BasePage {}

/// Hierarchies that are built by hand, with the lists' own look-ups.
@MainActor @Suite struct ViewTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  private let target = Target()

  /// Returns the element that the probe writes for a view in the window.
  private func written(_ view: UIView, imageName: (@MainActor (UIImage) -> String?)? = nil) throws -> [String: String] {
    var writer = ViewWriter(imageName: imageName)
    let tree = WindowTree([window], isPrivate: nil)
    writer.write(tree, header: [])
    let number = try #require(tree.nodes.firstIndex { $0.view === view })
    return try XMLNode.parse(Data(writer.xml.text.utf8)).all[number + 1].attributes
  }

  @Test("classes are written with their superclasses up to UIView, and controllers up to UIViewController")
  func classes() throws {
    let view = UIStepper(frame: CGRect(x: 0.5, y: -1, width: 94, height: 32))
    window.addSubview(view)
    let controller = OrderPage()
    controller.title = "订单"
    controller.standInLoad(view)
    let attributes = try written(view)
    #expect(attributes["class"] == "UIStepper")
    #expect(attributes["superclasses"] == "UIControl UIView")
    #expect(attributes["frame"] == "0.5 -1 94 32")
    #expect(attributes["controller"]?.hasSuffix("OrderPage") == true)
    #expect(attributes["controllerSuperclasses"]?.hasSuffix("BasePage UIViewController") == true)
    #expect(attributes["controllerTitle"] == "订单")
  }

  @Test("a controller is written only at its root view, and without a title of its own has that of its bar")
  func controllers() throws {
    let root = UIView(frame: .zero)
    let inner = UIView(frame: .zero)
    root.addSubview(inner)
    window.addSubview(root)
    let controller = OrderPage()
    let navigation = UINavigationController()
    controller.navigationController = navigation
    controller.navigationItem.title = "全部订单"
    controller.standInLoad(root)
    // A view whose next responder is a controller that has another root view.
    inner.standInController = controller
    #expect(try written(root)["controllerTitle"] == "全部订单")
    #expect(try written(inner)["controller"] == nil)
  }

  @Test("a cell's index path is that in the nearest list, however lists are nested, and absent if the list has none")
  func indexPaths() throws {
    let table = UITableView(frame: .zero)
    let row = OrderCell(frame: .zero)
    let wrapper = UIView(frame: .zero)
    let banners = UICollectionView(frame: .zero)
    let banner = BannerCell(frame: .zero)
    let spare = OrderCell(frame: .zero)
    window.addSubview(table)
    table.addSubview(wrapper)
    wrapper.addSubview(row)
    row.addSubview(banners)
    banners.addSubview(banner)
    table.addSubview(spare)
    table.standInIndexPaths[ObjectIdentifier(row)] = [1, 7]
    banners.standInIndexPaths[ObjectIdentifier(banner)] = [0, 3]
    #expect(try written(row)["indexPath"] == "1 7")
    #expect(try written(banner)["indexPath"] == "0 3")
    #expect(try written(spare)["indexPath"] == nil)
    table.standInIndexPaths[ObjectIdentifier(spare)] = IndexPath(indexes: [NSNotFound, 0])
    #expect(try written(spare)["indexPath"] == nil)
  }

  @Test("headers and footers of tables have their section and role")
  func tableSections() throws {
    let table = UITableView(frame: .zero)
    window.addSubview(table)
    let views = (0..<4).map { _ in UITableViewHeaderFooterView(frame: .zero) }
    views.forEach(table.addSubview)
    table.numberOfSections = 3
    table.standInHeaders = [0: views[0], 2: views[1]]
    table.standInFooters = [2: views[2]]
    let facts = try views.map { view in
      let attributes = try written(view)
      return "\(attributes["section"] ?? "-") \(attributes["role"] ?? "-")"
    }
    #expect(facts == ["0 header", "2 header", "2 footer", "- -"])
  }

  @Test("headers and footers of collections have their section and role; the header of a layout has none")
  func collectionSections() throws {
    let collection = UICollectionView(frame: .zero)
    window.addSubview(collection)
    let views = (0..<4).map { _ in UICollectionReusableView(frame: .zero) }
    views.forEach(collection.addSubview)
    collection.standInSupplementary = [
      UICollectionView.elementKindSectionHeader: [[1, 0]: views[0], [0]: views[1]],
      UICollectionView.elementKindSectionFooter: [[4, 0]: views[2]],
      "badge": [[0, 0]: views[3]],
    ]
    let facts = try views.map { view in
      let attributes = try written(view)
      return "\(attributes["section"] ?? "-") \(attributes["role"] ?? "-")"
    }
    #expect(facts == ["1 header", "- -", "4 footer", "- -"])
  }

  @Test("actions are in the order of registration, without those that are closures")
  func actions() throws {
    let button = UIButton(frame: .zero)
    window.addSubview(button)
    let other = Target()
    button.addTarget(target, action: "up:", for: .touchUpInside)
    button.addAction(UIAction(), for: .touchUpInside)
    button.addTarget(other, action: "track:", for: .touchUpInside)
    button.addTarget(target, action: "down:", for: .touchDown)
    button.addTarget(nil, action: "chain:", for: .touchUpInside)
    #expect(try written(button)["actions"] == "up: track: down: chain:")
  }

  @Test("before iOS 14, the actions of each target are in the order of events, and none is lost")
  func actionsByEvent() {
    let button = UIButton(frame: .zero)
    button.addTarget(target, action: "up:", for: .touchUpInside)
    button.addTarget(target, action: "logUp:", for: .touchUpInside)
    button.addTarget(target, action: "both:", for: [.touchDown, .touchUpInside])
    #expect(Handlers.actionsByEvent(of: button) == ["both:", "up:", "logUp:"])
    button.addTarget(nil, action: "chain:", for: .touchUpInside)
    #expect(Handlers.actionsByEvent(of: button).sorted() == ["both:", "chain:", "logUp:", "up:"])
  }

  @Test("gestures are named by their kinds, each once; a screen edge pan is no pan")
  func gestures() throws {
    let view = UIView(frame: .zero)
    window.addSubview(view)
    view.gestureRecognizers = [
      UIScreenEdgePanGestureRecognizer(), UITapGestureRecognizer(), UITapGestureRecognizer(), UIGestureRecognizer(),
      UILongPressGestureRecognizer(), UIPinchGestureRecognizer(), UIRotationGestureRecognizer(),
      UISwipeGestureRecognizer(), UIPanGestureRecognizer(),
    ]
    #expect(try written(view)["gestures"] == "screenEdgePan tap longPress pinch rotation swipe pan")
  }

  @Test("controls have their state")
  func state() throws {
    let segments = UISegmentedControl(frame: .zero)
    let pages = UIPageControl(frame: .zero)
    let stepper = UIStepper(frame: .zero)
    let slider = UISlider(frame: .zero)
    let toggle = UISwitch(frame: .zero)
    for control in [segments, pages, stepper, slider, toggle] { window.addSubview(control) }
    pages.currentPage = 2
    stepper.value = 2.5
    slider.value = 0.1
    slider.isEnabled = false
    slider.alpha = 0.3
    toggle.isOn = true
    toggle.isHidden = true
    #expect(try written(segments)["selectedIndex"] == nil)
    segments.selectedSegmentIndex = 1
    #expect(try written(segments)["selectedIndex"] == "1")
    #expect(try written(pages)["selectedIndex"] == "2")
    #expect(try written(stepper)["value"] == "2.5")
    let attributes = try written(slider)
    #expect([attributes["value"], attributes["enabled"], attributes["alpha"]] == ["0.1", "false", "0.3"])
    #expect(try written(toggle)["on"] == "true")
    #expect(try written(toggle)["hidden"] == "true")
  }

  @Test("an alert's root view has its title and message, also empty ones, and no title of a page")
  func alerts() throws {
    let view = UIView(frame: .zero)
    window.addSubview(view)
    let alert = UIAlertController()
    alert.title = ""
    alert.message = "确定退出登录吗?\n\"OK\""
    alert.standInLoad(view)
    let attributes = try written(view)
    #expect(attributes["controller"] == "UIAlertController")
    #expect(attributes["title"] == "")
    #expect(attributes["message"] == "确定退出登录吗?\n\"OK\"")
    #expect(attributes["controllerTitle"] == nil)
    alert.message = nil
    #expect(try written(view)["message"] == nil)
  }

  @Test("buttons and images have titles, colors and names")
  func looks() throws {
    let button = UIButton(frame: .zero)
    let image = UIImageView(frame: .zero)
    window.addSubview(button)
    window.addSubview(image)
    #expect(try written(button)["titleColor"] == nil)
    button.configuration = .plain()
    button.configuration?.title = "配置"
    #expect(try written(button)["title"] == "配置")
    button.currentAttributedTitle = NSAttributedString(string: "富文本")
    #expect(try written(button)["title"] == "富文本")
    button.currentTitle = "去结算"
    button.currentTitleColor = UIColor(red: 1, green: 0.5, blue: 0, alpha: 0.8)
    button.currentImage = UIImage()
    button.currentImage?.accessibilityIdentifier = "cart"
    let attributes = try written(button)
    #expect([attributes["title"], attributes["titleColor"]] == ["去结算", "rgba(255, 128, 0, 0.8)"])
    #expect(attributes["imageName"] == "cart")
    image.image = UIImage()
    #expect(try written(image)["imageName"] == nil)
    #expect(try written(image, imageName: { _ in "banner" })["imageName"] == "banner")
  }

  // MARK: - What only the styles of some SDKs ask for

  @Test("the events of actions are named, but not those of closures; likewise before iOS 14")
  func actionEvents() throws {
    let button = UIButton(frame: .zero)
    window.addSubview(button)
    #expect(try written(button)["actionEvents"] == nil)
    button.addAction(UIAction(), for: .touchDown)
    button.addTarget(target, action: "changed:", for: .valueChanged)
    button.addTarget(target, action: "up:", for: [.touchUpInside, .touchUpOutside])
    #expect(try written(button)["actionEvents"] == "touchUpInside touchUpOutside valueChanged")
  }

  @Test(
    "taps, touches, kinds of fields, titles while selected and what developers set are written where they are not usual"
  )
  func unusual() throws {
    let views = [UIView(frame: .zero), UILabel(frame: .zero), UITextField(frame: .zero), UIButton(frame: .zero)]
    views.forEach(window.addSubview)
    for name in ["tapCount", "userInteractionEnabled", "textContentType", "selectedTitle", "growingViewIgnorePolicy"] {
      for view in views { #expect(try written(view)[name] == nil, "\(name)") }
    }
    let taps = UITapGestureRecognizer()
    taps.numberOfTapsRequired = 2
    views[0].addGestureRecognizer(taps)
    views[0].isUserInteractionEnabled = false
    views[0].standInProperties = ["growingViewIgnorePolicy": NSNumber(value: 3), "growingViewCustomContent": "card"]
    views[1].isUserInteractionEnabled = true
    (views[2] as? UITextField)?.textContentType = .password
    (views[3] as? UIButton)?.standInTitles[.selected] = "已关注"
    let first = try written(views[0])
    #expect([first["tapCount"], first["userInteractionEnabled"]] == ["2", "false"])
    #expect([first["growingViewIgnorePolicy"], first["growingViewCustomContent"]] == ["3", "card"])
    #expect(try written(views[1])["userInteractionEnabled"] == "true")
    #expect(try written(views[2])["textContentType"] == "password")
    #expect(try written(views[3])["selectedTitle"] == "已关注")
  }

  @Test("a controller names the children that its parent has before it and that are on no screen")
  func siblings() throws {
    let parent = UINavigationController()
    let pages = [BasePage(), OrderPage(), OrderPage(), BasePage()]
    for (page, name) in zip(pages, ["Home", "Order", "Order", "Detail"]) {
      page.standInClassNames = [name, "UIViewController"]
      parent.addChild(page)
    }
    let shown = UIView(frame: .zero)
    let beneath = UIView(frame: .zero)
    window.addSubview(shown)
    window.addSubview(beneath)
    pages[0].standInLoad(UIView(frame: .zero))
    pages[1].standInLoad(beneath)
    pages[3].standInLoad(shown)
    // The second is in the capture, and the third has no view.
    #expect(try written(shown)["controllerSiblingsBefore"] == "Home Order")
    #expect(try written(beneath)["controllerSiblingsBefore"] == "Home")
  }

  @Test("an option of an alert has its number among the actions, unless two have its title")
  func actionIndex() throws {
    let root = UIView(frame: .zero)
    window.addSubview(root)
    let alert = UIAlertController()
    alert.standInLoad(root)
    alert.actions = ["取消", "清空", "同", "同"].map { UIAlertAction(standInTitle: $0) }
    func option(_ title: String) -> UIView {
      let view = UIView(frame: .zero)
      view.standInClassNames = ["_UIAlertControllerActionView", "UIView"]
      let label = UILabel(frame: .zero)
      label.text = title
      root.addSubview(view)
      view.addSubview(label)
      return view
    }
    #expect(try ["清空", "取消", "同", "别"].map { try written(option($0))["actionIndex"] } == ["1", "0", nil, nil])
    #expect(try written(root)["actionIndex"] == nil)
  }

  @Test("a picker has the titles of its rows, unless they are too many or hold a separator")
  func pickers() throws {
    let picker = UIPickerView(frame: .zero)
    window.addSubview(picker)
    #expect(try written(picker)["pickerRows"] == nil)
    (picker.standInRows, picker.standInSelected) = ([["Mon", "Tue"], ["am", "pm"]], [1, 0])
    let attributes = try written(picker)
    #expect([attributes["pickerRows"], attributes["pickerSelected"]] == ["Mon,Tue|am,pm", "1 0"])
    picker.standInRows[0][0] = "Mon, early"
    #expect(try written(picker)["pickerRows"] == nil)
    picker.standInRows[0] = Array(repeating: "Mon", count: 201)
    #expect(try written(picker)["pickerRows"] == nil)
  }

  @Test("a frame that is not finite is left out, and a list that is scrolled says how far")
  func frames() throws {
    let view = UIView(frame: CGRect(x: 0, y: CGFloat.infinity, width: 1, height: 1))
    let scroll = UIScrollView(frame: .zero)
    window.addSubview(view)
    window.addSubview(scroll)
    #expect(try written(view)["frame"] == nil)
    #expect(try written(scroll)["contentOffset"] == nil)
    scroll.contentOffset = CGPoint(x: 0, y: 120.5)
    #expect(try written(scroll)["contentOffset"] == "0 120.5")
  }

  @Test("the labels of libraries have their text, other views none, whatever they respond to")
  func otherLabels() throws {
    for (name, text) in [("YYLabel", "文字"), ("CardView", nil)] {
      let view = UIView(frame: .zero)
      view.standInClassNames = [name, "UIView"]
      view.standInProperties["text"] = "文字"
      window.addSubview(view)
      #expect(try written(view)["text"] == text)
    }
  }

  @Test("views nested 20,000 deep are written without recursion, in a text that is linear in their number")
  func deep() {
    var views = [window as UIView]
    for _ in 0..<20_000 {
      let view = UIView(frame: .zero)
      views[views.count - 1].addSubview(view)
      views.append(view)
    }
    let xml = CaptureTests.write([window])
    #expect(xml.utf8.count < 20_000 * 300)
    #expect(xml.components(separatedBy: "<view ").count == 20_002)
    #expect(xml.components(separatedBy: "</view>").count == 20_001)
    for view in views { _ = view.standInRemoveSubviews() }
  }
}

#if canImport(UIKit)
  import UIKit

  /// The views of some windows in pre-order, each with the facts that follow from the views around and inside it.
  ///
  /// It is made and read in loops, because recursion would overflow the stack for deeply nested views.
  @MainActor struct WindowTree {
    struct Node {
      let view: UIView
      /// The number of the superview; negative for a window.
      let parent: Int
      let depth: Int
      /// The class of the view and its superclasses up to `UIView`, the nearest first.
      let classNames: [String]
      /// The nearest lists around the view.
      let table: UITableView?
      let collection: UICollectionView?
      /// This is true if neither the view nor any of its superviews is hidden.
      let isShown: Bool
      let privacy: Privacy
      /// This is true if people type in a view inside this one.
      var holdsInput = false
      var hasSubviews: Bool
    }

    private(set) var nodes: [Node] = []

    /// Reads the views of windows.
    ///
    /// - Complexity: O(views).
    init(_ windows: [UIWindow], isPrivate: (@MainActor (UIView) -> Bool)?) {
      var inputs = InputViews(isPrivate: isPrivate)
      var open: [(view: UIView, parent: Int)] = windows.reversed().map { ($0, -1) }
      while let (view, parent) = open.popLast() {
        let above = parent < 0 ? nil : nodes[parent]
        let classNames = Runtime.classNames(of: view).upTo("UIView")
        let subviews = view.subviews
        let privacy: Privacy =
          switch above?.privacy {
          case .input, .insideInput: .insideInput
          case .open, nil: inputs.contains(view, classNames: classNames) ? .input : .open
          }
        if privacy == .input { noteInput(above: parent) }
        nodes.append(
          Node(
            view: view, parent: parent, depth: (above?.depth ?? 0) + 1, classNames: classNames,
            table: above.flatMap { $0.view as? UITableView ?? $0.table },
            collection: above.flatMap { $0.view as? UICollectionView ?? $0.collection },
            isShown: (above?.isShown ?? true) && !view.isHidden && view.alpha > 0, privacy: privacy,
            hasSubviews: !subviews.isEmpty))
        let number = nodes.count - 1
        for subview in subviews.reversed() { open.append((subview, number)) }
      }
    }

    private mutating func noteInput(above parent: Int) {
      var number = parent
      while number >= 0, !nodes[number].holdsInput {
        nodes[number].holdsInput = true
        number = nodes[number].parent
      }
    }
  }

  extension [String] {
    /// Returns the names up to one of them, or all names if it is missing.
    func upTo(_ last: String) -> [String] { firstIndex(of: last).map { Array(self[...$0]) } ?? self }
  }
#endif

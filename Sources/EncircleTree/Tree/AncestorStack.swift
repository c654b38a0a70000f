/// A value for each ancestor of the element at hand while the elements of a tree are visited in pre-order.
///
/// ```swift
/// var names = AncestorStack<String>()
/// for element in tree.elements {
///   names.removeNonAncestors(of: element)
///   // `names.values` has the names of the element's ancestors, the window's first.
///   names.push(tree.className(of: element), for: element, of: tree)
/// }
/// ```
///
/// An element that nobody asks for, such as one without subviews, need not be pushed. A visit is linear in the number
/// of elements, whatever the depth, and allocates nothing per element.
@usableFromInline package struct AncestorStack<Value> {
  /// The values, outermost first.
  @usableFromInline package internal(set) var values: [Value] = []
  // The ends of these elements' subtrees; each subtree lies in the one before it.
  @usableFromInline var ends: [ElementID] = []

  @inlinable package init() {}

  /// Removes the elements that do not contain `element`. All elements on the stack must come before it in pre-order.
  ///
  /// - Complexity: O(elements removed).
  // Always inlined, because otherwise it is not specialised for the values of other modules.
  @inlinable @inline(__always) package mutating func removeNonAncestors(of element: ElementID) {
    while let end = ends.last, end <= element {
      ends.removeLast()
      values.removeLast()
    }
  }

  /// Adds an element that lies in all that are on the stack.
  @inlinable @inline(__always) package mutating func push(_ value: Value, for element: ElementID, of tree: ViewTree) {
    ends.append(tree.subtreeEnd(of: element))
    values.append(value)
  }
}

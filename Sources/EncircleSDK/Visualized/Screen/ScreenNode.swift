import EncircleTree

/// A view of a screen that is put together again: one that the payload lists, or one that the paths of others name.
struct ScreenNode {
  /// A view controller whose root view the node is.
  struct Controller {
    var name: String
    var superclasses: [String]
    var title: String?
  }

  /// What a path says about the place among the siblings.
  enum Place: Equatable {
    /// Nothing.
    case free
    /// So many siblings of the same class come before it.
    case index(Int)
    /// A cell's section and row.
    case cell(Int, Int)
    /// The header of a section.
    case header(Int)
    /// The footer of a section.
    case footer(Int)
  }

  var className: String
  var superclasses: [String] = []
  /// The place in the walk; nil if the payload does not list it.
  var place: Int?
  var parent: Int
  /// The place in the walk, in pre-order, of the object that the node is, or that it was made for.
  var order: Int
  var position = Place.free
  /// The number of components that its path has, and the last of them.
  var components = 0
  var lastComponent: SensorsComponent?
  var controller: Controller?
  /// In the window; that of the parent where the payload does not say.
  var area: Frame
  var depth: Int
  /// Whether the view is hidden: the SDK does not list it, but the paths of its siblings count it.
  var isHidden = false
}

import EncircleTree

/// A view of a reassembled screen: either the payload lists it, or the paths of other views name it.
struct ScreenNode {
  /// A view controller whose root view the node is.
  struct Controller {
    var name: String
    var superclasses: [String]
    var title: String?
  }

  /// The position among the siblings, according to a path.
  enum Place: Equatable {
    /// The path states no position.
    case free
    /// The number of preceding siblings of the same class.
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
  /// The position, in pre-order, of the object that the node represents or was made for.
  var order: Int
  var position = Place.free
  /// The number of components of its path, and the last of them.
  var components = 0
  var lastComponent: SensorsComponent?
  var controller: Controller?
  /// The area in the window; the parent's area if the payload does not state it.
  var area: Frame
  var depth: Int
  /// This is true if the view is hidden. The SDK does not list it, but the paths of its siblings count it.
  var isHidden = false
}

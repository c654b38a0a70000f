/// An element or a page in a path that is only written.
///
/// A ``StyledComponent`` is several times as large, because it has room for the attributes of all styles.
struct PathPart {
  var className: String
  var place: StyledComponent.Place
  var isTag = false

  init(_ className: String, _ place: StyledComponent.Place) {
    self.className = className
    self.place = place
  }

  /// The component of a path that is made rather than written.
  var component: StyledComponent {
    var component = StyledComponent(className, place)
    component.attributes.isTag = isTag
    return component
  }
}

import EncircleIdentity
import EncircleRules
import EncircleText

extension SDKConfiguration {
  /// Adds the properties of a rule that the SDK can read, to each of its elements; notes the others.
  mutating func addProperties(of rule: SelectionRule, in style: PathStyleName, to events: inout [Event]) {
    for property in rule.properties {
      var readable: [SDKProperty] = []
      do throws(Reason) {
        guard platform == .ios else {
          throw Reason(.propertyOfSystem, "The SDK takes properties on iOS only.")
        }
        for event in events {
          guard event.screen != nil else {
            throw Reason(.propertyOfWebElement, "The SDK takes properties of the app's own elements only.")
          }
          readable.append(try Self.property(property, of: event, in: style))
        }
        for (i, property) in readable.enumerated() { events[i].properties.append(property) }
      } catch {
        omittedProperties.append(
          OmittedProperty(
            rule: rule.id.text, name: property.name.text, reason: error.text, code: error.code.rawValue))
      }
    }
  }

  static func property(
    _ property: RuleProperty, of event: Event, in style: PathStyleName
  ) throws(Reason) -> SDKProperty {
    guard case .element(let selector) = property.source else {
      throw Reason(.propertySource, "The SDK reads properties off other elements only; decisions have this one.")
    }
    guard SDKProperty.isName(property.name) else {
      throw Reason(.propertyName, "The SDK wants a name of at most 100 Latin letters, digits, _ and $.")
    }
    guard let expression = SDKProperty.expression(property.expression) else {
      throw Reason(.propertyExpression, "The expression means something else in the SDK, or is not valid there.")
    }
    let isNumber = property.type == .number
    var common: SDKProperty?
    // A cell may be read as a row or as an item; the SDK writes both alike.
    for reading in selector.readings {
      let place: Place
      switch selector.base {
      case .page: place = try Self.place(of: reading)
      case .ancestor(let levels):
        guard style.isSensors else {
          throw Reason(.otherStyle, "Its selector is about paths of the style \(style.rawValue), not of sensors.")
        }
        let components = event.path.splitBytes(at: "/", omittingEmptySubsequences: false)
        let inner = try Self.place(of: reading, isInner: true)
        guard levels < components.count else {
          throw Reason(.propertyPlace, "The element has fewer views around it than the selector goes up.")
        }
        let kept = components.dropLast(levels)
        guard inner.position == nil || !kept.contains(where: { $0.endsWithBytes(of: "[-]") }) else {
          throw Reason(.several, "Its selector means another row than the element's.")
        }
        place = (kept.joined(separator: "/") + "/" + inner.path, inner.position)
      }
      let next = SDKProperty(
        name: property.name.text, isNumber: isNumber, expression: expression, path: place.path, position: place.position
      )
      if let common, common != next { throw Reason(.propertyPlace, "Its selector may mean several elements.") }
      common = next
    }
    guard let common else { throw Reason(.propertyPlace, "Its selector names no element.") }
    return common
  }
}

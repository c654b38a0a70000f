#if canImport(UIKit)
  import Foundation
  import UIKit

  /// The probe's queries to the Objective-C runtime. Only this file differs on Linux, where the probe is tested without that
  /// runtime: there, the module that stands in for UIKit answers.
  enum Runtime {
    /// Returns the names of an object's class and its superclasses, the nearest first.
    ///
    /// This is the class that the object has at run time: `NSKVONotifying_UIButton` for an observed button.
    static func classNames(of object: AnyObject) -> [String] {
      #if canImport(ObjectiveC)
        var names: [String] = []
        var next: AnyClass? = object_getClass(object)
        while let current = next {
          names.append(NSStringFromClass(current))
          next = class_getSuperclass(current)
        }
        return names
      #else
        return standInClassNames(of: object)
      #endif
    }

    /// Returns a property that a library has added to all views, as text; nil if the view has no property of that name.
    @MainActor static func property(_ name: String, of view: UIView) -> String? {
      #if canImport(ObjectiveC)
        guard view.responds(to: NSSelectorFromString(name)) else { return nil }
        let value = view.value(forKey: name)
      #else
        let value = standInProperty(name, of: view)
      #endif
      return (value as? String) ?? (value as? NSNumber)?.stringValue
    }

    /// Returns the title of a picker's row; nil if its delegate, which may make views instead, gives none.
    @MainActor static func title(ofRow row: Int, _ component: Int, of picker: UIPickerView) -> String? {
      #if canImport(ObjectiveC)
        return picker.delegate?.pickerView?(picker, titleForRow: row, forComponent: component)
      #else
        return picker.standInRows[component][row]
      #endif
    }
  }
#endif

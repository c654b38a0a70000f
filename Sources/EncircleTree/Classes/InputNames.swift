import EncircleText

/// Guesses from class names whether people type in the views.
///
/// A class that a capture does not explain may be a field. Hiding the text of a label is a nuisance, but a revealed input cannot be
/// taken back, so the answer is yes when in doubt.
enum InputNames {
  /// The greatest length of a name that is examined, in bytes. A longer one is assumed to suggest input.
  private static let maximumLength = 4096

  /// Returns whether the name of an unknown class suggests a text field.
  static func areTextField(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.count <= maximumLength else { return false }
    return contains(
      Array(outerClass(of: name)), anyOf: ["TextField", "TextInput", "EditText", "SecureField", "PasswordField"])
  }

  /// Returns whether the name of a class suggests that its views show what people type.
  ///
  /// - Parameter isUnknown: True if neither the capture nor the table of classes shows the kind of the view.
  /// - Complexity: O(length).
  static func suggestInput(_ name: UnsafeBufferPointer<UInt8>, isUnknown: Bool) -> Bool {
    // No compiler makes such a name.
    if name.count > maximumLength { return true }
    if harmlessClasses.contains(Array(name)) { return false }
    // `TextView` is a label on Android, where classes have the names of packages in front.
    let isAndroid = name.firstIndex(of: UInt8(ascii: ".")).map { !name[..<$0].contains(where: isUpperCase) } ?? false
    let full = outerClass(of: name)
    let simple = full.part((full.lastIndex(of: UInt8(ascii: ".")) ?? -1) + 1..<full.count)
    let words = words(of: simple)
    if let last = words.last, harmlessLastWords.contains(last) { return false }
    let letters = letters(of: simple)
    if contains(letters, anyOf: anywhere) { return true }
    // The field in a bar is hidden by its own class; the buttons beside it are not.
    if let last = words.last, barWords.contains(last) { return false }
    if isUnknown, !isAndroid, contains(letters, anyOf: ["textview"]) { return true }
    if words.contains(where: { inputWords.contains($0) }) { return true }
    // The word that the name is about is the last one before those that every view may have.
    let noun = words.last { !genericWords.contains($0) && !$0.allSatisfy(isDigit) }
    return noun.map { inputNouns.contains($0) } ?? false
  }

  /// Returns whether a list of superclasses, as one text, contains the name of an input class.
  static func haveInput(superclasses: UnsafeBufferPointer<UInt8>) -> Bool {
    if superclasses.count > 64 * maximumLength { return true }
    return contains(letters(of: superclasses), anyOf: ["uitextfield", "uitextview", "uisearchbar", "edittext"])
  }

  // Words to find in names reduced to letters in lower case.
  private static let anywhere: [StaticString] = [
    "textfield", "textinput", "textarea", "textbox", "edittext", "edittable", "textedit", "secure", "password",
    "passcode", "passphrase", "fieldeditor", "combobox", "searchbar", "searchfield", "searchbox", "searchview",
    "searchinput", "autocomplete", "verificationcode", "verifycode", "smscode", "authcode", "pincode", "pinentry",
    "textentry", "codeentry", "entryfield", "entryrenderer", "keyboard", "predictionview", "candidateview",
    "candidatebar", "uitextview", "autocorrect", "composer", "credential",
  ]
  // These are whole words, at any place in a name.
  private static let inputWords = words(["input", "inputs", "otp", "pwd", "passwd", "cvv", "cvc", "captcha", "editor"])
  // Whole words that count only where the name is about them.
  private static let inputNouns = words(["edit", "editable", "pin", "field", "typing"])
  private static let genericWords = words([
    "view", "container", "wrapper", "box", "control", "component", "layout", "cell", "renderer", "host", "item",
    "widget",
    "native", "impl", "content", "group", "base", "node", "row", "wrap", "class",
  ])
  private static let harmlessLastWords = words([
    "button", "icon", "image", "imageview", "switch", "toggle", "checkbox", "slider", "window", "separator",
    "background", "border", "shadow", "line", "underline", "controller",
  ])
  private static let barWords = words(["bar", "toolbar"])
  private static let harmlessClasses: Set<[UInt8]> = words([
    // They hold the views of the app that stand above the keyboard.
    "UIInputSetContainerView", "UIInputSetHostView", "UIInputView", "RCTInputAccessoryContentView",
    "RCTInputAccessoryView", "RCTInputAccessoryViewContent", "RCTInputAccessoryComponentView",
    "UITableViewCellEditControl", "MKPinAnnotationView",
    // These are labels.
    "RCTTextView", "RCTParagraphTextView", "LynxTextView",
  ])

  private static func words(_ words: [String]) -> Set<[UInt8]> { Set(words.map { Array($0.utf8) }) }

  private static func contains(_ letters: [UInt8], anyOf parts: [StaticString]) -> Bool {
    letters.withUnsafeBufferPointer { letters in parts.contains { letters.offset(of: $0) != nil } }
  }

  /// Returns the part of a name for the class itself. The name of a generic class also contains the names of all its arguments; for
  /// a screen of SwiftUI, these are all the views on it.
  private static func outerClass(of name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard name.starts(withLiteral: "_TtGC") else {
      // If nothing closes the parameters, this is not a generic class but a broken name.
      guard name.last == UInt8(ascii: ">") else { return name }
      return name.firstIndex(of: UInt8(ascii: "<")).map { $0 > 0 ? name.part(0..<$0) : name } ?? name
    }
    var i = 5
    /// Skips an identifier, which stands after its length.
    func skipIdentifier() -> Bool {
      var length = 0
      while i < name.count, isDigit(name[i]), length < name.count {
        length = length * 10 + Int(name[i] & 0x0F)
        i += 1
      }
      guard length > 0, length <= name.count - i else { return false }
      i += length
      return true
    }
    guard skipIdentifier() else { return name }  // the module
    if i < name.count, name[i] == UInt8(ascii: "P") {
      i += 1
      guard skipIdentifier() else { return name }  // the file of a private class
    }
    return skipIdentifier() ? name.part(0..<i) : name
  }

  /// Returns the letters of a name in lower case.
  private static func letters(of name: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    name.filter(isLetter).map(lowercased)
  }

  /// Returns the words of a name in lower case: `PinCode2View` has `pin`, `code`, `2` and `view`, `OTPView` `otp` and
  /// `view`.
  private static func words(of name: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.append(word) }
      word = []
    }
    for (i, byte) in name.enumerated() {
      let next = i + 1 < name.count ? name[i + 1] : 0
      if isUpperCase(byte) {
        let before = i > 0 ? name[i - 1] : 0
        if !isUpperCase(before) || isLowerCase(next) { end() }
        word.append(byte | 0x20)
      } else if isLowerCase(byte) || byte >= 0x80 {
        if let last = word.last, isDigit(last) { end() }
        word.append(byte)
      } else if isDigit(byte) {
        if let last = word.last, !isDigit(last) { end() }
        word.append(byte)
      } else {
        end()
      }
    }
    end()
    return words
  }

  private static func isLowerCase(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
}

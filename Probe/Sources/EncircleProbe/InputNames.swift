#if canImport(UIKit)
  import Foundation

  /// Guesses from the name of a class whether people type in its views, as the readers of captures do. In doubt, the answer is
  /// yes: omitting the text of a label is a nuisance, but a leak of typed text cannot be undone.
  struct InputNames {
    private var known: [String: Bool] = [:]

    /// Returns whether a name suggests that people type in the views of the class.
    mutating func suggestInput(_ name: String) -> Bool {
      if let answer = known[name] { return answer }
      let answer = Self.isInput(name)
      known[name] = answer
      return answer
    }

    private static func isInput(_ name: String) -> Bool {
      // No compiler makes a name of this length.
      if name.utf8.count > 4096 { return true }
      if harmlessClasses.contains(name) { return false }
      let words = words(of: simpleName(Array(name.utf8)[...]))
      if let last = words.last, harmlessLastWords.contains(last) { return false }
      // Only ASCII, so that no character can combine with a letter and hide it.
      let letters = String(decoding: words.joined().utf8.filter { $0 >= 0x61 && $0 <= 0x7A }, as: UTF8.self)
      if parts.contains(where: { letters.contains($0) }) { return true }
      // The field in a bar is found by its own class; the buttons beside it are not input.
      if let last = words.last, last == "bar" || last == "toolbar" { return false }
      if words.contains(where: { inputWords.contains($0) }) { return true }
      let noun = words.last { !genericWords.contains($0) && !$0.utf8.allSatisfy(isDigit) }
      return noun.map { inputNouns.contains($0) } ?? false
    }

    /// Returns the name of a class without its module, and without the arguments of a generic class, which for a screen of
    /// SwiftUI are all the views on it.
    private static func simpleName(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      var name = name
      if name.starts(with: "_TtGC".utf8) {
        // Each identifier stands after its length: the module; `P` and the file of a private class; the class.
        var rest = name.dropFirst(5)
        var last: ArraySlice<UInt8>?
        var missing = 2
        while missing > 0 {
          if rest.first == UInt8(ascii: "P") {
            rest = rest.dropFirst()
            missing += 1
          }
          let digits = rest.prefix(while: isDigit)
          guard let length = Int(String(decoding: digits, as: UTF8.self)), length > 0 else { break }
          rest = rest.dropFirst(digits.count)
          guard length <= rest.count else { break }
          last = rest.prefix(length)
          rest = rest.dropFirst(length)
          missing -= 1
        }
        if missing == 0, let last { name = last }
      } else if let arguments = name.firstIndex(of: UInt8(ascii: "<")), arguments > name.startIndex {
        name = name[..<arguments]
      }
      return name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
    }

    /// Returns the words of a name in lower case: `PinCode2View` has `pin`, `code`, `2` and `view`, `OTPView` `otp` and
    /// `view`.
    private static func words(of name: ArraySlice<UInt8>) -> [String] {
      var words: [String] = []
      var word: [UInt8] = []
      func end() {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
      }
      for (i, byte) in zip(name.indices, name) {
        if isUpperCase(byte) {
          let followsUpperCase = i > name.startIndex && isUpperCase(name[i - 1])
          let isBeforeLowerCase = i + 1 < name.endIndex && isLowerCase(name[i + 1])
          if !followsUpperCase || isBeforeLowerCase { end() }
          word.append(byte | 0x20)
        } else if isLowerCase(byte) || isDigit(byte) || byte >= 0x80 {
          if let last = word.last, isDigit(last) != isDigit(byte) { end() }
          word.append(byte)
        } else {
          end()
        }
      }
      end()
      return words
    }

    private static func isUpperCase(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }

    private static func isLowerCase(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    // Parts of words, anywhere in the letters of a name.
    private static let parts = [
      "textfield", "textinput", "textarea", "textbox", "edittext", "edittable", "textedit", "secure", "password",
      "passcode", "passphrase", "fieldeditor", "combobox", "searchbar", "searchfield", "searchbox", "searchview",
      "searchinput", "autocomplete", "verificationcode", "verifycode", "smscode", "authcode", "pincode", "pinentry",
      "textentry", "codeentry", "entryfield", "entryrenderer", "keyboard", "predictionview", "candidateview",
      "candidatebar", "uitextview", "autocorrect", "composer", "credential",
    ]
    // Whole words, anywhere in a name.
    private static let inputWords: Set = [
      "input", "inputs", "otp", "pwd", "passwd", "cvv", "cvc", "captcha", "editor",
    ]
    // Whole words that count only as the last significant word of a name.
    private static let inputNouns: Set = ["edit", "editable", "pin", "field", "typing"]
    private static let genericWords: Set = [
      "view", "container", "wrapper", "box", "control", "component", "layout", "cell", "renderer", "host", "item",
      "widget", "native", "impl", "content", "group", "base", "node", "row", "wrap", "class",
    ]
    private static let harmlessLastWords: Set = [
      "button", "icon", "image", "imageview", "switch", "toggle", "checkbox", "slider", "window", "separator",
      "background", "border", "shadow", "line", "underline", "controller",
    ]
    private static let harmlessClasses: Set = [
      // These contain the app's views above the keyboard.
      "UIInputSetContainerView", "UIInputSetHostView", "UIInputView", "RCTInputAccessoryContentView",
      "RCTInputAccessoryView", "RCTInputAccessoryViewContent", "RCTInputAccessoryComponentView",
      "UITableViewCellEditControl", "MKPinAnnotationView",
    ]
  }
#endif

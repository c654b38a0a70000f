import EncircleText

/// The origin of a name in a web page (an id, a class, or the value of an attribute), which determines how likely it is to change. It
/// is judged by the name alone.
public enum PageName: Hashable, Sendable {
  /// A person chose the name, so it changes only when a person changes it.
  case people
  /// A build tool or a framework makes it, and another one in the next release: `css-1x2y3z`, `:r1:`.
  case generated
  /// It describes the look of the element, as the classes of Tailwind do: it changes with the design, and many elements have it.
  case look
  /// It describes the state of the element, as `active` does.
  case state

  /// Judges the id of an element, or the value of an attribute.
  ///
  /// - Complexity: O(length).
  public init(ofValue name: UTF8String) {
    self = Self.isGenerated(Array(name.text.utf8)) ? .generated : .people
  }

  /// Judges a class.
  ///
  /// - Complexity: O(length).
  public init(ofClass name: UTF8String) {
    let bytes = Array(name.text.utf8)
    if Self.states.contains(name) || Self.begins(bytes, "is-") || Self.begins(bytes, "has-")
      || Self.begins(bytes, "ng-") || Self.endsWithState(bytes)
    {
      self = .state
    } else if Self.describesAppearance(name, bytes) {
      self = .look
    } else {
      self = Self.isGenerated(bytes) ? .generated : .people
    }
  }

  /// Judges the name of an attribute. A framework writes attributes for its own use, and some of them describe a state.
  ///
  /// - Complexity: O(length).
  public init(ofAttribute name: UTF8String) {
    let bytes = Array(name.text.utf8)
    if Self.stateAttributes.contains(name) {
      self = .state
    } else {
      self = Self.frameworkAttributes.contains { Self.begins(bytes, $0) } ? .generated : .people
    }
  }

  /// Returns whether a framework writes an attribute for its own use.
  public static func isFrameworks(attribute name: UTF8String) -> Bool { PageName(ofAttribute: name) != .people }

  private static let frameworkAttributes = [
    "data-v-", "data-react", "data-ph-", "data-sensors-", "data-emotion", "data-styled", "data-radix",
    "data-headlessui",
    "data-state", "data-orientation", "data-index", "data-key", "data-ssr", "data-server-rendered", "data-n-head",
    "data-astro-",
    "data-svelte", "data-sveltekit",
  ]

  /// The attributes of a state, as Headless UI, Radix and React Aria write them.
  private static let stateAttributes: Set<UTF8String> = [
    "data-active", "data-selected", "data-disabled", "data-focus", "data-focused", "data-focus-visible", "data-hover",
    "data-hovered", "data-pressed", "data-highlighted", "data-checked", "data-open", "data-closed", "data-expanded",
    "data-collapsed",
  ]

  private static func begins(_ name: [UInt8], _ prefix: String) -> Bool { name.starts(with: prefix.utf8) }

  // MARK: - Generated names

  private static let makers = [
    "css-", "sc-", "jss", "emotion-", "svelte-", "_ng", "ng-tns", "radix-", "headlessui-", "mui-", "ember",
    "react-aria", "__BVID__",
    "el-id-", "rc_", "rc-tabs-", "v-", "data-v-", "yui_", "ext-gen", "gwt-uid-", "cdk-", "mat-", "downshift-",
    "ui-id-", "pn_id_", "pr_id_", "reka-", "bits-",
  ]

  private static func isGenerated(_ name: [UInt8]) -> Bool {
    if name.isEmpty || name.count > 64 { return true }
    if name[0] == UInt8(ascii: ":") || name[0] == 0xC2 || containsReactID(name) { return true }
    if makers.contains(where: { prefix in
      begins(name, prefix)
        && name.dropFirst(prefix.utf8.count).contains { isDigit($0) || isUpperCase($0) || $0 == UInt8(ascii: ":") }
    }) || begins(name, "css-") || begins(name, "sc-") || begins(name, "_ng") {
      return true
    }
    return name.split { !isLetter($0) && !isDigit($0) && $0 < 0x80 }.contains { isGenerated(word: $0) }
  }

  /// Returns whether a name contains an id that `useId` of React makes: `:r1:`, `«r1»` or `_r_1_`. Libraries put such ids into
  /// longer ones.
  private static func containsReactID(_ name: [UInt8]) -> Bool {
    for i in name.indices.dropFirst() where name[i] | 0x20 == UInt8(ascii: "r") {
      var rest = name[(i + 1)...]
      let end: UInt8
      switch name[i - 1] {
      case UInt8(ascii: ":"): end = UInt8(ascii: ":")
      // The last byte of « and the first one of ».
      case 0xAB: end = 0xC2
      case UInt8(ascii: "_") where rest.first == UInt8(ascii: "_"):
        rest = rest.dropFirst()
        end = UInt8(ascii: "_")
      default: continue
      }
      let number = rest.prefix { isLetter($0) || isDigit($0) }
      if !number.isEmpty, name[number.endIndex...].first == end { return true }
    }
    return false
  }

  /// Returns whether a word looks like a hash or a number that counts on: digits between letters, or many digits.
  private static func isGenerated(word: ArraySlice<UInt8>) -> Bool {
    let digits = word.count(where: isDigit)
    if digits == word.count { return digits >= 3 }
    if digits >= 4 { return true }
    guard word.count >= 5 else { return false }
    // Changes between letters and digits: `v2` and `step3` have one, `1x2y3z` five.
    var changes = 0
    var cases = 0
    for (a, b) in zip(word, word.dropFirst()) {
      if isDigit(a) != isDigit(b) { changes += 1 }
      // `camelCase` goes up once a word; `bdVaJaQ` goes up and down within few letters.
      if isUpperCase(a) != isUpperCase(b), isLetter(a), isLetter(b) { cases += 1 }
    }
    if changes >= 3 { return true }
    return word.count <= 8 && (changes >= 2 || (changes >= 1 && cases >= 1) || cases >= 4)
  }

  // MARK: - Looks and states

  private static let states: Set<UTF8String> = [
    "active", "selected", "disabled", "enabled", "open", "opened", "closed", "show", "shown", "hide", "hidden",
    "visible", "current",
    "focus", "focused", "hover", "checked", "expanded", "collapsed", "collapse", "loading", "loaded", "error", "on",
    "off", "in", "fade",
    "last", "first", "even", "odd",
  ]

  /// The last words of classes that libraries of components add for a state: `tab--active`, `Mui-focusVisible`.
  private static let stateEndings: Set<UTF8String> = [
    "active", "selected", "disabled", "focus", "focused", "focusVisible", "checked", "expanded", "collapsed",
  ]

  private static func endsWithState(_ name: [UInt8]) -> Bool {
    guard let separator = name.lastIndex(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else {
      return false
    }
    return stateEndings.contains(UTF8String(String(decoding: name[(separator + 1)...], as: UTF8.self)))
  }

  private static let looks: Set<UTF8String> = [
    "flex", "grid", "block", "inline", "inline-block", "inline-flex", "relative", "absolute", "fixed", "sticky",
    "static", "container",
    "truncate", "uppercase", "lowercase", "capitalize", "underline", "italic", "antialiased", "transition", "shadow",
    "rounded", "border",
    "group", "peer", "row", "col", "clearfix", "float-left", "float-right", "grow", "shrink", "transform", "filter",
    "blur", "ring",
    "inline-grid", "contents", "table-cell", "table-row", "flow-root", "invisible", "isolate", "outline", "invert",
    "grayscale", "prose", "sr-only", "not-sr-only", "no-underline", "not-italic", "line-through", "tabular-nums",
    "normal-case", "shadow-inner", "ring-inset", "flex-grow", "flex-shrink", "flex-initial", "flex-fill",
    "text-primary", "text-secondary", "text-success", "text-danger", "text-warning", "text-muted", "text-foreground",
    "text-body", "text-truncate", "text-uppercase", "text-break", "text-decoration-none", "d-grid", "d-inline-block",
    "d-inline-flex", "container-fluid", "float-start", "float-end", "visually-hidden", "stretched-link", "img-fluid",
    "hstack", "vstack", "list-unstyled",
  ]

  /// The beginnings of classes that describe the look, whatever follows.
  private static let lookBeginnings = [
    "bg-", "border-", "rounded-", "divide-", "cursor-", "whitespace-", "leading-", "ease-", "animate-", "overscroll-",
    "pointer-events-", "min-w-", "max-w-", "min-h-", "max-h-", "drop-shadow-", "fw-",
  ]

  private static let lookPrefixes = [
    "m", "mx", "my", "mt", "mr", "mb", "ml", "ms", "me", "p", "px", "py", "pt", "pr", "pb", "pl", "ps", "pe", "w", "h",
    "size", "text", "font", "tracking", "flex", "flex-grow", "flex-shrink", "grow", "shrink", "grid", "grid-flow",
    "items", "justify", "justify-items", "justify-self", "justify-content", "content", "self", "align-items",
    "align-self", "place", "place-items", "place-content", "place-self",
    "gap", "gap-x", "gap-y", "g", "gx", "gy", "space-x", "space-y", "shadow", "ring", "ring-offset", "opacity", "z",
    "top", "left", "right", "bottom", "start", "end", "inset", "inset-x", "inset-y",
    "overflow", "transition", "duration", "delay", "col", "row", "row-cols", "offset", "order", "basis", "from",
    "to", "via", "position",
    "fill", "stroke", "object", "break", "align", "outline", "decoration", "underline-offset", "select",
    "scale", "scale-x", "scale-y", "rotate", "skew-x", "skew-y", "origin",
    "translate-x", "translate-y", "grid-cols", "grid-rows", "auto-cols", "auto-rows", "col-span", "row-span",
    "line-clamp", "aspect", "columns", "list", "d", "fs", "lh",
  ]

  private static let lookWords: Set<UTF8String> = [
    "auto", "full", "screen", "none", "xs", "sm", "md", "lg", "xl", "center", "start", "end", "between", "around",
    "evenly", "left",
    "right", "top", "bottom", "bold", "semibold", "medium", "light", "normal", "thin", "white", "black", "transparent",
    "hidden",
    "scroll", "pointer", "wrap", "nowrap", "row", "col", "column", "fit", "min", "max", "px", "tight", "snug",
    "relaxed", "loose",
    "inherit", "current", "middle", "baseline", "cover", "contain", "words", "all", "colors", "opacity", "stretch",
    "flex", "block",
    "gray", "red", "blue", "green", "yellow", "slate", "zinc", "orange", "pink", "purple", "indigo", "teal", "base",
    "amber", "lime", "emerald", "cyan", "sky", "violet", "fuchsia", "rose", "neutral", "stone",
    "mono", "sans", "serif", "relative", "absolute", "fixed", "sticky", "static", "visible", "reverse", "square",
    "x", "y", "t", "r", "b", "l", "s", "e",
  ]

  /// Returns whether a class describes the look of an element: `mt-4`, `md:w-1/2`, `[&>svg]:w-4`, `text-gray-500`.
  private static func describesAppearance(_ name: UTF8String, _ bytes: [UInt8]) -> Bool {
    if bytes.contains(where: { ":[]/!@%".utf8.contains($0) }) { return true }
    if looks.contains(name) || lookBeginnings.contains(where: { begins(bytes, $0) }) { return true }
    // Themes have colors such as `text-muted-foreground`.
    if name.text.endsWithBytes(of: "-foreground") { return true }
    let plain = String(decoding: bytes.first == UInt8(ascii: "-") ? bytes[1...] : bytes[...], as: UTF8.self)
    for prefix in lookPrefixes where plain.utf8.starts(with: (prefix + "-").utf8) {
      let rest = plain.utf8.dropFirst(prefix.utf8.count + 1).split(separator: UInt8(ascii: "-"))
      if !rest.isEmpty,
        rest.allSatisfy({ part in
          part.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
            || lookWords.contains(UTF8String(String(Substring(part))))
            || (part.last.map { isLetter($0) } ?? false) && part.dropLast().allSatisfy(isDigit) && part.count > 1
            || (part.first.map(isDigit) ?? false) && part.count <= 3
        })
      {
        return true
      }
    }
    return false
  }
}

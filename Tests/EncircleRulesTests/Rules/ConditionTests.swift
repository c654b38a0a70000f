import EncircleRules
import Testing

/// The tests of `where`, one row each.
@Suite struct ConditionTests {
  /// Returns `true` if `where: { p: TEST }` holds for `"properties": PROPERTIES`.
  private func holds(_ test: String, _ properties: String) throws -> Bool {
    try decide(
      "rules: [ { id: r, include: { where: { p: \(test) } } } ]", "{\"event\":\"e\",\"properties\":\(properties)}"
    ).isSelected
  }

  @Test(
    "equality is of bytes and of values, and never casts",
    arguments: [
      ("a", #"{"p":"a"}"#, true), ("a", #"{"p":"A"}"#, false), ("a", #"{"p":"ab"}"#, false),
      ("'1'", #"{"p":1}"#, false),
      ("1", #"{"p":1}"#, true), ("1", #"{"p":"1"}"#, false), ("1", #"{"p":true}"#, false), ("1", #"{"p":1.0}"#, true),
      ("1", #"{"p":10e-1}"#, true), ("1.50", #"{"p":1.5}"#, true), ("0", #"{"p":-0}"#, true),
      ("0", #"{"p":false}"#, false),
      ("0", #"{"p":null}"#, false), ("0", #"{"p":""}"#, false),
      ("true", #"{"p":true}"#, true), ("true", #"{"p":"true"}"#, false), ("true", #"{"p":1}"#, false),
      ("true", #"{"p":false}"#, false), ("false", #"{}"#, false),
      ("null", #"{"p":null}"#, true), ("null", #"{}"#, false), ("null", #"{"p":"null"}"#, false),
      ("'null'", #"{"p":null}"#, false),
      ("''", #"{"p":""}"#, true), ("''", #"{}"#, false), ("''", #"{"p":null}"#, false),
      ("a", #"{"p":["a"]}"#, false), ("a", #"{"p":{"a":"a"}}"#, false),
      ("9007199254740993", #"{"p":9007199254740993}"#, true), ("9007199254740993", #"{"p":9007199254740992}"#, false),
      ("9007199254740993", #"{"p":9007199254740993.0}"#, true), ("0.1", #"{"p":0.10000000000000001}"#, false),
      ("123456789012345678901234567890", #"{"p":123456789012345678901234567891}"#, false),
      ("{ equals: 加入购物车 }", #"{"p":"加入购物车"}"#, true), ("加入购物车", #"{"p":"加入\u8d2d\u7269\u8f66"}"#, true),
      ("👍", #"{"p":"\ud83d\udc4d"}"#, true), ("\"\u{E9}\"", #"{"p":"e\u0301"}"#, false),
      ("a/b", #"{"p":"a\/b"}"#, true),
      ("\"a\\n\\t\\0\"", #"{"p":"a\n\t\u0000"}"#, true),
      ("[a, 1, null]", #"{"p":1}"#, true), ("[a, 1, null]", #"{"p":null}"#, true),
      ("[a, 1, null]", #"{"p":"1"}"#, false),
      ("{ in: [a, b] }", #"{"p":"b"}"#, true), ("{ in: [a, b] }", #"{"p":"c"}"#, false),
    ] as [(String, String, Bool)])
  func equality(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "texts begin, end, contain and have forms",
    arguments: [
      ("{ prefix: ab }", #"{"p":"abc"}"#, true), ("{ prefix: ab }", #"{"p":"ab"}"#, true),
      ("{ prefix: ab }", #"{"p":"a"}"#, false), ("{ prefix: b }", #"{"p":"ab"}"#, false),
      ("{ prefix: '5' }", #"{"p":52}"#, false),
      ("{ suffix: bc }", #"{"p":"abc"}"#, true), ("{ suffix: bc }", #"{"p":"bcd"}"#, false),
      ("{ suffix: abcd }", #"{"p":"bcd"}"#, false),
      ("{ contains: bc }", #"{"p":"abcd"}"#, true), ("{ contains: aab }", #"{"p":"aaab"}"#, true),
      ("{ contains: abab }", #"{"p":"abaabab"}"#, true), ("{ contains: cb }", #"{"p":"abcd"}"#, false),
      ("{ contains: 购 }", #"{"p":"加入购物车"}"#, true),
      ("{ glob: 'ab*ba' }", #"{"p":"aba"}"#, false), ("{ glob: 'ab*ba' }", #"{"p":"abba"}"#, true),
      ("{ glob: 'ab*ba' }", #"{"p":"ab/x\nba"}"#, true), ("{ glob: 'a?b' }", #"{"p":"axb"}"#, false),
      ("{ glob: '[0]' }", #"{"p":"0"}"#, false), ("{ glob: '[0]' }", #"{"p":"[0]"}"#, true),
      ("{ glob: '*' }", #"{"p":""}"#, true), ("{ glob: '*' }", #"{}"#, false), ("{ glob: '*' }", #"{"p":1}"#, false),
      ("{ glob: 'a*' }", #"{"p":"ba"}"#, false), ("{ glob: 'a' }", #"{"p":"ab"}"#, false),
      ("{ matches: 'b+' }", #"{"p":"abbc"}"#, true), ("{ matches: '^b+$' }", #"{"p":"abb"}"#, false),
      ("{ matches: '^\\d{2}$' }", #"{"p":"52"}"#, true), ("{ matches: '^\\d{2}$' }", #"{"p":52}"#, false),
      ("{ matches: '\\p{Han}{3}' }", #"{"p":"加入购"}"#, true), ("{ matches: '^.$' }", #"{"p":"车"}"#, true),
      ("{ matches: 'a.b' }", #"{"p":"a\nb"}"#, false), ("{ matches: '(?s)a.b' }", #"{"p":"a\nb"}"#, true),
      ("{ matches: 'a\\x00b' }", #"{"p":"a\u0000b"}"#, true), ("{ matches: 'B', fold: true }", #"{"p":"abc"}"#, true),
    ] as [(String, String, Bool)])
  func texts(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "fold ignores case, in every test of texts and for every script that has it",
    arguments: [
      ("{ equals: ABC, fold: true }", #"{"p":"abc"}"#, true), ("{ equals: abc, fold: true }", #"{"p":"ABC"}"#, true),
      ("{ equals: abc, fold: false }", #"{"p":"ABC"}"#, false), ("{ in: [x, Abc], fold: true }", #"{"p":"aBC"}"#, true),
      ("{ prefix: AB, fold: true }", #"{"p":"abc"}"#, true), ("{ suffix: BC, fold: true }", #"{"p":"abc"}"#, true),
      ("{ contains: B, fold: true }", #"{"p":"abc"}"#, true), ("{ glob: 'A*C', fold: true }", #"{"p":"abc"}"#, true),
      ("{ equals: STRASSE, fold: true }", #"{"p":"straße"}"#, true),
      ("{ equals: σας, fold: true }", #"{"p":"ΣΑΣ"}"#, true),
      ("{ equals: École, fold: true }", #"{"p":"éCOLE"}"#, true),
      ("{ equals: ЯБЛОКО, fold: true }", #"{"p":"яблоко"}"#, true),
      ("{ equals: STRAẞE, fold: true }", #"{"p":"strasse"}"#, true),
      ("{ equals: 'STRAẞE', fold: true }", #"{"p":"straße"}"#, true),
      ("{ equals: ı, fold: true }", #"{"p":"i"}"#, false), ("{ equals: KAPI, fold: true }", #"{"p":"kapı"}"#, false),
      ("{ contains: pı, fold: true }", #"{"p":"KAPı"}"#, true), ("{ equals: İ, fold: true }", #"{"p":"i"}"#, false),
      ("{ equals: 1, fold: true }", #"{"p":"1"}"#, false), ("{ not: { equals: A }, fold: true }", #"{"p":"a"}"#, false),
      ("{ not: { equals: A, fold: true } }", #"{"p":"a"}"#, false),
      ("{ not: { equals: A, fold: false }, fold: true }", #"{"p":"a"}"#, true),
    ] as [(String, String, Bool)])
  func fold(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "numbers compare with numbers by their exact value",
    arguments: [
      ("{ '<': 2 }", #"{"p":1}"#, true), ("{ '<': 2 }", #"{"p":2}"#, false), ("{ '<=': 2 }", #"{"p":2.0}"#, true),
      ("{ '>': 2 }", #"{"p":2.0000000000000000001}"#, true), ("{ '>=': 2 }", #"{"p":2}"#, true),
      ("{ '>=': -1 }", #"{"p":-1.5}"#, false), ("{ '>': -2 }", #"{"p":-1.5}"#, true),
      ("{ '<': 2 }", #"{"p":"1"}"#, false),
      ("{ '<': 2 }", #"{"p":true}"#, false), ("{ '<': 2 }", #"{"p":null}"#, false), ("{ '<': 2 }", #"{}"#, false),
      ("{ '<': 2 }", #"{"p":[1]}"#, false), ("{ '>': 9007199254740992 }", #"{"p":9007199254740993}"#, true),
      ("{ '>': 9007199254740993 }", #"{"p":9007199254740992.9}"#, false), ("{ '>': 1 }", #"{"p":1e400}"#, true),
      ("{ '<': 0 }", #"{"p":-1e-400}"#, true), ("{ '>=': 1, '<': 3 }", #"{"p":2}"#, true),
      ("{ '>=': 1, '<': 3 }", #"{"p":3}"#, false), ("{ '>=': 0.1 }", #"{"p":1e-1}"#, true),
    ] as [(String, String, Bool)])
  func numbers(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "versions compare number by number, pre-releases come first",
    arguments: [
      ("'>=5.2 <6'", "5.2", true), ("'>=5.2 <6'", "5.10", true), ("'>=5.2 <6'", "5.1.9", false),
      ("'>=5.2 <6'", "6.0.0", false), ("'>=5.2 <6'", "6.0-beta.1", true), ("'>=5.2'", "5.2-rc.1", false),
      ("'>5.2-beta.2'", "5.2-beta.10", true), ("'>5.2-beta.2'", "5.2-beta", false), ("'>5.2-beta.2'", "5.2-rc", true),
      ("'>5.2-beta.2'", "5.2", true), ("'>5.2-1'", "5.2-a", true), ("5.2", "5.2.0", true), ("'=5.2'", "5.2.0.0", true),
      ("'!=5.2'", "5.2.1", true), ("'!=5.2'", "5.2", false), ("'<=5.2'", "5.2.0", true), ("'<5.2'", "5.2", false),
      ("'>4'", "10", true), ("'>=5.2'", "5.2+build.7", true), ("'>=5.2'", "v5.2", false), ("'>=5.2'", "", false),
      ("'>=5.2'", "5..2", false), ("'>=5.2'", "5.2-", false), ("'>=5.2'", " 5.3", false), ("'>=5.2'", "5,3", false),
      ("'>1.99999999999999999999'", "1.100000000000000000000", true), ("'<5.2   >5'", "5.1", true),
      ("5.2", "005.02", true),
    ] as [(String, String, Bool)])
  func versions(range: String, version: String, expected: Bool) throws {
    #expect(try holds("{ version: \(range) }", "{\"p\":\"\(version)\"}") == expected)
  }

  @Test("a version test matches only texts", arguments: ["5.3", "true", "null", "[\"5.3\"]"])
  func versionTypes(value: String) throws {
    #expect(try holds("{ version: '>=5.2' }", "{\"p\":\(value)}") == false)
  }

  @Test(
    "on a missing property every test is false, and so not around it true",
    arguments: [
      "a", "1", "null", "true", "[a, null]", "{ prefix: '*' }", "{ suffix: a }", "{ contains: a }", "{ glob: '*' }",
      "{ matches: '.*' }", "{ '<': 1 }", "{ '<=': 1 }", "{ '>': 1 }", "{ '>=': 1 }", "{ version: '>=0' }",
      "{ exists: true }",
      "{ not: { exists: false } }", "{ equals: a, not: { equals: b } }",
    ])
  func missing(test: String) throws {
    for properties in ["{}", #"{"q":"a"}"#, #"{"P":"a"}"#] {
      #expect(try holds(test, properties) == false)
      #expect(try holds("{ not: \(test) }", properties))
      #expect(try holds("{ not: { not: \(test) } }", properties) == false)
    }
  }

  @Test(
    "existence means the member, whatever its value",
    arguments: [
      ("{ exists: true }", #"{"p":null}"#, true), ("{ exists: true }", #"{"p":""}"#, true),
      ("{ exists: true }", #"{"p":{}}"#, true), ("{ exists: true }", #"{}"#, false),
      ("{ exists: false }", #"{}"#, true),
      ("{ exists: false }", #"{"p":null}"#, false), ("{ exists: false, equals: a }", #"{}"#, false),
      ("{ not: { exists: true } }", #"{}"#, true),
      ("{ not: a }", #"{"p":"b"}"#, true), ("{ not: a }", #"{"p":"a"}"#, false), ("{ not: a }", #"{"p":1}"#, true),
      ("{ not: [a, b] }", #"{"p":"b"}"#, false), ("{ not: { '<': 2 } }", #"{"p":"1"}"#, true),
      ("{ not: { equals: a, prefix: a } }", #"{"p":"ab"}"#, true),
      ("{ exists: true, not: { equals: a } }", #"{}"#, false),
    ] as [(String, String, Bool)])
  func existence(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "a property is a key of properties, or where a JSON Pointer leads",
    arguments: [
      ("$a", #"{"properties":{"$a":"x"}}"#, true), ("$a", #"{"$a":"x"}"#, false), ("/$a", #"{"$a":"x"}"#, true),
      ("/properties/$a", #"{"properties":{"$a":"x"}}"#, true), ("a.b", #"{"properties":{"a":{"b":"x"}}}"#, false),
      ("a.b", #"{"properties":{"a.b":"x"}}"#, true), ("/properties/a/b", #"{"properties":{"a":{"b":"x"}}}"#, true),
      ("/list/1", #"{"list":["y","x"]}"#, true), ("/list/01", #"{"list":["y","x"]}"#, false),
      ("/list/-", #"{"list":["x"]}"#, false), ("/list/2", #"{"list":["y","x"]}"#, false),
      ("/list/1", #"{"list":{"1":"x"}}"#, true), ("/a~1b/c~0d", #"{"a/b":{"c~d":"x"}}"#, true),
      ("/", #"{"":"x"}"#, true),
      ("/a//b", #"{"a":{"":{"b":"x"}}}"#, true), ("/event", #"{"event":"x"}"#, true), ("/a/b", #"{"a":"x"}"#, false),
      ("/a~01", #"{"a~1":"x"}"#, true), ("/首页", #"{"\u9996\u9875":"x"}"#, true),
      // Of two members with one name the last one counts, on every level.
      ("a", #"{"properties":{"a":"y","a":"x"}}"#, true), ("a", #"{"properties":{"a":"x","a":"y"}}"#, false),
      ("a", #"{"properties":{"a":"x","\u0061":"y"}}"#, false), ("/a", #"{"a":"x","a":null}"#, false),
      ("a", #"{"properties":{"a":"x"},"properties":{"a":"y"}}"#, false),
      ("a", #"{"properties":{"a":"x"},"properties":{}}"#, false),
      ("a", #"{"properties":{"a":"x"},"properties":[]}"#, false),
      ("/o/a", #"{"o":{"a":"y"},"o":{"a":"x"}}"#, true), ("/o/a", #"{"o":{"a":"x"},"o":1}"#, false),
      // HubbleData-like events have attributes.
      ("a", #"{"attributes":{"a":"x"}}"#, true), ("a", #"{"properties":{"b":"x"},"attributes":{"a":"x"}}"#, true),
      ("a", #"{"properties":{"a":"y"},"attributes":{"a":"x"}}"#, false),
      ("a", #"{"attributes":{"a":"y"},"properties":{"a":"x"}}"#, true),
      ("a", #"{"properties":{"a":null},"attributes":{"a":"x"}}"#, false),
      ("a", #"{"properties":"x","attributes":{"a":"x"}}"#, true),
    ] as [(String, String, Bool)])
  func places(property: String, event: String, expected: Bool) throws {
    #expect(try decide("rules: [ { id: r, include: { where: { '\(property)': x } } } ]", event).isSelected == expected)
  }

  @Test("an event may be nested deeply beside the tested values")
  func deepEvents() throws {
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    let event = "{\"x\":\(deep),\"properties\":{\"d\":\(deep),\"p\":\"a\"}}"
    #expect(try decide("rules: [ { id: r, include: { where: { p: a } } } ]", event).isSelected)
  }

  @Test("an expression that is exponential elsewhere is linear here")
  func expressions() throws {
    let text = String(repeating: "a", count: 20_000)
    #expect(try holds("{ matches: '^(a+)+$' }", "{\"p\":\"\(text)!\"}") == false)
    #expect(try holds("{ matches: '(a*)*b' }", "{\"p\":\"\(text)\"}") == false)
    #expect(try holds("{ glob: '\(String(repeating: "*a", count: 200))b' }", "{\"p\":\"\(text)\"}") == false)
    #expect(try holds("{ contains: '\(text.prefix(5_000))b' }", "{\"p\":\"\(text)\"}") == false)
  }

  @Test(
    "lists are tested item by item, with any and all",
    arguments: [
      ("{ any: vip }", #"{"p":["new","vip"]}"#, true), ("{ any: vip }", #"{"p":["VIP"]}"#, false),
      ("{ any: vip }", #"{"p":"vip"}"#, false), ("{ any: vip }", #"{}"#, false), ("{ any: vip }", #"{"p":[]}"#, false),
      ("{ any: vip }", #"{"p":{"a":"vip"}}"#, false), ("{ any: vip }", #"{"p":[["vip"]]}"#, false),
      ("{ any: { any: vip } }", #"{"p":[1,["vip"]]}"#, true), ("{ any: [vip, 2] }", #"{"p":[1, 2.0]}"#, true),
      (#"{ any: 购物"车 }"#, #"{"p":["\u8d2d\u7269\"车"]}"#, true),
      ("{ any: { prefix: v } }", #"{"p":[ "x" , "vip" ]}"#, true),
      ("{ any: { prefix: V, fold: true } }", #"{"p":["vip"]}"#, true),
      ("{ any: { prefix: V }, fold: true }", #"{"p":["vip"]}"#, true),
      ("{ any: null }", #"{"p":[null]}"#, true), ("{ any: { exists: false } }", #"{"p":[null]}"#, false),
      ("{ any: { not: a } }", #"{"p":["a","b"]}"#, true), ("{ not: { any: a } }", #"{"p":["a","b"]}"#, false),
      ("{ all: { '>': 1 } }", #"{"p":[2,3]}"#, true), ("{ all: { '>': 1 } }", #"{"p":[2,1]}"#, false),
      ("{ all: { '>': 1 } }", #"{"p":[2,"3"]}"#, false), ("{ all: a }", #"{"p":[]}"#, true),
      ("{ all: a }", #"{"p":"a"}"#, false),
      ("{ all: a, any: a }", #"{"p":[]}"#, false), ("{ all: [true, null] }", #"{"p":[true,null,true]}"#, true),
    ] as [(String, String, Bool)])
  func lists(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "the first number in a text is compared",
    arguments: [
      ("{ number: { '>=': 100 } }", #"{"p":"¥168.00"}"#, true),
      ("{ number: { '>=': 168.01 } }", #"{"p":"¥168.00"}"#, false),
      ("{ number: 1299 }", #"{"p":"¥1,299.00 起"}"#, true),
      ("{ number: [1, 1234567.5] }", #"{"p":"1,234,567.50"}"#, true),
      ("{ number: 1 }", #"{"p":"1,2345"}"#, true), ("{ number: 1234 }", #"{"p":"1234,567"}"#, true),
      ("{ number: -5 }", #"{"p":"温度-5度"}"#, true), ("{ number: 5 }", #"{"p":"- 5"}"#, true),
      ("{ number: 7 }", #"{"p":"007"}"#, true),
      ("{ number: 0 }", #"{"p":"000"}"#, true), ("{ number: 3 }", #"{"p":"3."}"#, true),
      ("{ number: 200 }", #"{"p":"满200减20"}"#, true),
      ("{ number: { '<': 1 } }", #"{"p":"免费"}"#, false), ("{ number: { not: 1 } }", #"{"p":"免费"}"#, false),
      ("{ number: { not: 1 } }", #"{"p":"2件"}"#, true), ("{ number: { '>': 1 } }", #"{"p":2}"#, true),
      ("{ number: { '>': 1 } }", #"{"p":true}"#, false),
      ("{ number: { '>': 1 } }", #"{}"#, false), ("{ number: 1 }", #"{"p":"１"}"#, false),
      ("{ any: { number: 20 } }", #"{"p":["x","20件"]}"#, true),
    ] as [(String, String, Bool)])
  func numbersInTexts(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }

  @Test(
    "samples take texts and numbers by their hash",
    arguments: [
      ("{ sample: 77.6406% }", #"{"p":"user-1"}"#, true), ("{ sample: 77.6405% }", #"{"p":"user-1"}"#, false),
      ("{ sample: { share: 45.7229%, salt: spring } }", #"{"p":"user-1"}"#, true),
      ("{ sample: 45.0308% }", #"{"p":42}"#, true),
      ("{ sample: 45.0308% }", #"{"p":42.0}"#, true), ("{ sample: 45.0307% }", #"{"p":42}"#, false),
      ("{ sample: 100% }", #"{"p":""}"#, true),
      ("{ sample: 100% }", #"{"p":true}"#, false), ("{ sample: 100% }", #"{"p":["a"]}"#, false),
      ("{ sample: 100% }", #"{}"#, false),
    ] as [(String, String, Bool)])
  func samples(test: String, properties: String, expected: Bool) throws {
    #expect(try holds(test, properties) == expected)
  }
}

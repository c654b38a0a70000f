import EncircleTestSupport
import Foundation
import Testing

/// `encircle coverage`, as a process.
@Suite struct CoverageTests {
  @Test("a web page without its address is named, as taps on its elements cannot be counted with them")
  func pageAddress() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("web.yaml", "version: 1\nstyle: sensors-web\nrules: []\n")
    try folder.write("page.html", "<!doctype html><body><button id='pay'>Pay</button></body>")
    try folder.write(
      "taps.ndjson",
      """
      {"event":"$WebClick","properties":{"$lib":"js","$url_path":"/shop","$element_path":"button#pay","$element_selector":"#pay"}}
      """)
    let arguments = "coverage --rules web.yaml --captures page.html --events taps.ndjson"
    let result = try folder.run(arguments)
    #expect(result.errors.contains("page.html: note: lacks the address of the page"), "\(result.errors)")
    #expect(try folder.run(arguments + " --page /shop").errors.isEmpty)
  }

  @Test(
    "a tap on a web page counts on its screen, however the event writes the address",
    arguments: [#""$url_path":"/商""#, #""$url_path":"/%e5%95%86""#, #""$url":"https://a.example/%E5%95%86?q=1""#])
  func writtenAddresses(place: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("web.yaml", "version: 1\nstyle: sensors-web\nrules: []\n")
    try folder.write("page.html", "<!doctype html><body><button id='pay'>Pay</button></body>")
    try folder.write(
      "taps.ndjson",
      #"{"event":"$WebClick","properties":{"$lib":"js",\#(place),"#
        + ##""$element_path":"button#pay","$element_selector":"#pay"}}"##)
    let result = try folder.run(
      "coverage --rules web.yaml --captures page.html --events taps.ndjson --page /商 --format json")
    #expect(
      result.text.contains(#""screens":[{"page":"/商","captured":true,"taps":{"taken":0,"open":1,"#), "\(result.text)")
    #expect(result.text.contains(#""open_count":1,"#), "\(result.text)")
  }

  @Test(
    "a file that is named twice is one capture",
    arguments: ["screens/a.xml --captures ./screens/a.xml", "screens --captures screens/a.xml"])
  func namedTwice(captures: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("none.yaml", "version: 1\nrules: []\n")
    try folder.write("screens/a.xml", viewTree("<view class='UIWindow'><view class='UIButton' title='Pay'/></view>"))
    let result = try folder.run("coverage --rules none.yaml --format json --captures \(captures)")
    #expect(result.text.contains(#""captures":1,"#), "\(result.text) \(result.errors)")
  }
}

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

import EncircleIdentity
import EncircleText

/// Writes records as JSON objects, one per line or as the elements of an array.
struct JSONRecordWriter: RecordWriter {
  let isArray: Bool
  private var isFirst = true

  init(isArray: Bool) { self.isArray = isArray }

  var separator: String { isArray ? ",\n" : "" }

  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws {}

  mutating func beginRecords(to output: ResultWriter) throws {
    if isArray { try output.write(isFirst ? "[\n" : separator) }
    isFirst = false
  }

  func append(_ record: ElementRecord, to bytes: inout [UInt8]) {
    // The builder takes the caller's bytes and gives them back, so that nothing is copied.
    var json = JSONBuilder()
    swap(&json.bytes, &bytes)
    Self.append(record, to: &json)
    swap(&json.bytes, &bytes)
    if !isArray { bytes.append(UInt8(ascii: "\n")) }
  }

  mutating func end(to output: ResultWriter) throws {}

  mutating func finish(to output: ResultWriter) throws {
    if isArray { try output.write(isFirst ? "[]\n" : "\n]\n") }
  }

  /// Appends the values that an SDK for web pages sends, under their names in events.
  private static func append(_ record: WebRecord, to json: inout JSONBuilder) {
    let tap = record.tap
    if let settings = record.settings {
      json.member("position", tap.position)
      json.member("$element_selector", tap.selector)
      json.member("$element_type", tap.type)
      json.member("$element_id", tap.id)
      json.member("$element_name", tap.name)
      json.member("$element_class_name", tap.className)
      json.member("$element_target_url", tap.href)
      json.member("$element_content", tap.content)
      json.member("$title", tap.title)
      json.member("target", tap.target?.index)
      json.member("no_id") { json in
        json.object {
          $0.member("$element_selector", settings.selector)
          $0.member("$element_path", settings.path)
          $0.member("$element_position", settings.position)
        }
      }
      json.member("targets") { json in
        json.object { json in
          for (name, target) in settings.targets {
            json.member(name) { json in
              if let target { json.value(target.index) } else { json.null() }
            }
          }
        }
      }
    }
    if let triggers = record.triggers {
      json.member("$el_text", tap.content)
      json.member("augment") { json in
        json.object { json in for (name, value) in tap.augmentation { json.member(name, value) } }
      }
      json.member("no_capture", tap.isNotCaptured)
      json.member("tracked_change", triggers.change)
      json.member("tracked_submit", triggers.submit)
      json.member("tracked_nocss", triggers.clickWithoutStyles)
    }
  }

  private static func append(_ record: ElementRecord, to json: inout JSONBuilder) {
    json.object {
      $0.member("capture", record.capture)
      $0.member("element", record.element.index)
      $0.member("class", record.className)
      $0.member("path", record.path)
      if let styled = record.styled {
        $0.member("style", styled.path.style.rawValue)
        if let lists = styled.path.lists {
          $0.member("xpath", lists.xpath)
          $0.member("xcontent", lists.xcontent)
        }
        $0.member("style_id", styled.id.map(Hexadecimal.text))
        if styled.web == nil { $0.member("position", styled.position) }
        $0.member("element_type", styled.elementType)
        $0.member("resource_id", styled.resourceID)
        $0.member("selector", styled.selector)
        $0.member("title", styled.title)
        if let web = styled.web { append(web, to: &$0) }
        $0.member("alert_title", styled.alert?.title)
        $0.member("alert_message", styled.alert?.message)
      }
      $0.member("controller", record.controller)
      $0.member("page", record.page)
      $0.member("identity", record.identity)
      $0.member("event_id", record.eventID)
      $0.member("type", record.type?.sent.rawValue)
      $0.member("kind", record.type?.rawValue)
      $0.member("trackable", record.type != nil)
      for (name, value) in record.cell?.fields ?? [] { $0.member(name, value) }
      $0.member("content", record.content)
      let properties = record.properties
      $0.member("frame", properties.frame?.rectText)
      $0.member("titleColor", properties.titleColor)
      $0.member("imageName", properties.imageName)
      if let isOn = properties.switchState { $0.member("switchState", isOn) }
      $0.member("selectedIndex", properties.selectedIndex)
      if let value = properties.value { $0.member("value", value) }
      $0.member("searchText", properties.searchText)
      $0.member("screenTitle", properties.screenTitle)
    }
  }
}

import EncircleRules
import EncircleText
import Foundation

extension MatchSummary {
  /// Returns the counts as a JSON object in one line.
  func json(_ matcher: borrowing Matcher) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("read", read)
      $0.member("selected", selected)
      $0.member("excluded", excluded)
      $0.member("unresolved", unresolved)
      $0.member("not_selected", notSelected)
      $0.member("rejected", rejected)
      $0.member("ambiguous", ambiguous)
      $0.object("cache") { json in
        json.member("hits", cacheHits)
        json.member("misses", cacheMisses)
        json.member("share", cacheHits + cacheMisses == 0 ? 0 : Double(cacheHits) / Double(cacheHits + cacheMisses))
      }
      $0.array("rules", ruleCounts(matcher)) { rule, json in
        json.object {
          $0.member("rule", matcher.ruleID(rule.rule).text)
          $0.member("effect", matcher.isExclude(rule.rule) ? "exclude" : "include")
          $0.member("matched", rule.count)
        }
      }
      $0.member("never_resolved", unresolvedRules.map(\.text))
      $0.array("names", nameCounts(matcher).sorted { $0.key < $1.key }) { name, json in
        json.object {
          $0.member("name", name.key.text)
          $0.member("selected", name.value)
        }
      }
      if matcher.toleranceTable != nil {
        $0.array("approximate", approximate.sorted { $0.key < $1.key }) { rule, json in
          json.object {
            $0.member("rule", rule.key.text)
            $0.member("events", rule.value)
          }
        }
      }
      $0.array("excluded_pages", byPage.sorted { $0.key < $1.key }) { page, json in
        json.object {
          $0.member("page", page.key.text)
          $0.member("events", page.value)
        }
      }
      if let counts {
        Self.append("pages", "page", counts.pages, to: &$0)
        Self.append("versions", "version", counts.versions, to: &$0)
        let hours = counts.hours.sorted { $0.key < $1.key }.map { (Self.text(ofHour: $0.key), $0.value) }
        Self.append("hours", "hour", hours, others: counts.otherHours, to: &$0)
      }
    }
    return json.line
  }

  private static func append(
    _ title: String, _ name: String, _ table: SelectionCounts.Table, to json: inout JSONBuilder
  ) {
    let rows = table.counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    append(
      title, name, rows.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }, others: table.others, to: &json)
  }

  private static func append(
    _ title: String, _ name: String, _ rows: [(String, SelectionCounts.Count)], others: SelectionCounts.Count,
    to json: inout JSONBuilder
  ) {
    let rows =
      rows.map { (value: Optional($0.0), count: $0.1) } + (others.read > 0 ? [(value: nil, count: others)] : [])
    json.array(title, rows) { row, json in
      json.object {
        $0.member(name, row.value)
        $0.member("read", row.count.read)
        $0.member("selected", row.count.selected)
      }
    }
  }

  private static func text(ofHour hour: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(hour) * 3_600)
    return date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false)).prefix(13) + "Z"
  }
}

import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

/// The report on rules and releases that events give, as text and as JSON.
enum StreamDriftText {
  static func text(_ report: StreamDrift.Report) -> String {
    var lines: [String] = []
    if report.changes.isEmpty { lines.append("no rule's share of users has changed by more than chance explains") }
    for change in report.changes {
      lines.append(
        "\(change.rule): \(change.isZero ? "fell to zero" : change.now.share.value < change.before.share.value ? "fell" : "rose") "
          + "in \(release(change.now)): \(share(change.before.share)) → \(share(change.now.share)), "
          + "p \(probability(change.probability))")
      for successor in change.successors {
        let path = successor.path.map { path in successor.pathIndexes.map { "\(path) & \($0)" } ?? path }
        let place = path ?? successor.eventID.map { "event ID \($0)" } ?? ""
        let content = successor.content.map { " \(VisibleText.shortened($0, columns: 30))" } ?? ""
        lines.append("  likely successor:\(content) \(place)")
        lines.append("    same \(successor.evidence.joined(separator: ", ")); \(share(successor.share))")
      }
    }
    for (rule, rates) in report.rates {
      lines.append("\(rule)")
      for rate in rates {
        lines.append("  \(release(rate)): \(counted(rate.events, "event")), \(share(rate.share))")
      }
    }
    if report.unknown > 0 {
      let (has, counts) = report.unknown == 1 ? ("has", "counts") : ("have", "count")
      lines.append("\(counted(report.unknown, "event")) \(has) no version such as 5.2, and \(counts) for nothing")
    }
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  /// Returns a version with its platform, such as `5.2 (ios)`.
  private static func release(_ rate: StreamDrift.Rate) -> String {
    rate.version + (rate.platform.map { " (\($0.rawValue))" } ?? "")
  }

  /// Returns a share in words, such as `12 of 340 users (3.5 %)`.
  private static func share(_ share: StreamDrift.Share) -> String {
    let tenths = Int((share.value * 1000).rounded())
    return "\(share.users) of \(counted(share.of, "user")) (\(tenths / 10).\(tenths % 10) %)"
  }

  private static func probability(_ value: Double) -> String {
    guard value >= 0.0001 else { return "< 0.0001" }
    return "0." + zeroPadded(Int((value * 10_000).rounded()), to: 4)
  }

  static func json(_ report: StreamDrift.Report) -> String {
    var json = JSONBuilder()
    json.object { json in
      json.array("changes", report.changes) { change, json in
        json.object { json in
          json.member("rule", change.rule.text)
          json.member("zero", change.isZero)
          json.member("probability", change.probability)
          json.key("before")
          append(change.before, to: &json)
          json.key("now")
          append(change.now, to: &json)
          json.array("successors", change.successors) { successor, json in
            json.object {
              $0.member("path", successor.path)
              $0.member("path_indexes", successor.pathIndexes)
              $0.member("event_id", successor.eventID?.description)
              $0.member("page", successor.page)
              $0.member("content", successor.content)
              $0.member("users", successor.share.users)
              $0.member("users_of_version", successor.share.of)
              $0.member("evidence", successor.evidence)
              $0.member("confidence", (successor.confidence * 100).rounded(.down) / 100)
            }
          }
        }
      }
      json.array("rules", report.rates) { rule, json in
        json.object {
          $0.member("rule", rule.rule.text)
          $0.array("versions", rule.rates) { append($0, to: &$1) }
        }
      }
      json.member("events_without_version", report.unknown)
      json.member("beyond_limits", report.beyondLimits)
    }
    return json.line
  }

  private static func append(_ rate: StreamDrift.Rate, to json: inout JSONBuilder) {
    json.object {
      $0.member("platform", rate.platform?.rawValue)
      $0.member("app_version", rate.version)
      $0.member("events", rate.events)
      $0.member("users", rate.share.users)
      $0.member("users_of_version", rate.share.of)
    }
  }
}

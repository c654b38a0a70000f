import EncircleColumns
import EncircleEvents
import EncircleText

/// The calls of a warehouse's remote function in one request, and the answer to them, in the warehouse's format. The format is
/// recognised by the member that contains the rows.
///
/// Sources of the formats:
/// BigQuery: https://cloud.google.com/bigquery/docs/remote-functions#input_format,
/// Snowflake: https://docs.snowflake.com/en/sql-reference/external-functions-data-format,
/// Redshift: https://docs.aws.amazon.com/redshift/latest/dg/udf-creating-a-lambda-sql-udf.html
struct RemoteCalls {
  enum Contract: String, CaseIterable {
    /// `{"calls": [[…]]}` and `{"replies": […]}`
    case bigQuery = "calls"
    /// `{"data": [[0, …]]}` and `{"data": [[0, …]]}`
    case snowflake = "data"
    /// `{"arguments": [[…]]}` and `{"success": true, "num_records": 1, "results": ["…"]}`
    case redshift = "arguments"
  }

  /// The arguments of a row, or the reason why it cannot be decided.
  private struct Row {
    var values: [[UInt8]?] = []
    var problem: String?
    /// For Snowflake, the number of the row, which the answer repeats before the result.
    var number: [UInt8] = []
  }

  let contract: Contract
  private let rows: [Row]

  var count: Int { rows.count }

  /// - Throws: ``ServiceError`` with 400 if the body has none of the formats.
  init(_ body: JSONBody, columns: [EventColumn]) throws {
    let members = try body.members
    guard
      let (contract, list) = Contract.allCases.lazy.compactMap({ contract in
        members.first { $0.name == contract.rawValue }.map { (contract, $0.body) }
      }).first
    else {
      throw ServiceError.malformed(
        "Expected the rows of a remote function: calls (BigQuery), data (Snowflake) or arguments (Redshift).")
    }
    self.contract = contract
    rows = try list.elements.map { row in
      var arguments = try row.elements[...]
      var result = Row()
      if contract == .snowflake {
        guard let number = arguments.popFirst() else { throw row.error("A row begins with its number.") }
        _ = try number.integer
        result.number = number.value.json
      }
      guard arguments.count == columns.count else {
        result.problem = "there are \(arguments.count) arguments for \(columns.count) columns"
        return result
      }
      result.values = zip(arguments, columns).map { argument, column in
        switch argument.value {
        case .null: nil
        case .string(let text): Array(text.utf8)
        // This is a number, a Boolean, or JSON that did not arrive as a text.
        case let value: value.json
        }
      }
      return result
    }
  }

  /// Returns the answer, with one result for each row, in order.
  func answer(_ decider: ValueRowDecider) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      switch contract {
      case .bigQuery:
        json.array("replies", rows) { row, json in
          decider.appendDecision(of: row.values, problem: row.problem, to: &json.bytes)
        }
      case .snowflake:
        json.array("data", rows) { row, json in
          json.bytes.append(UInt8(ascii: "["))
          json.bytes.append(contentsOf: row.number)
          json.bytes.append(UInt8(ascii: ","))
          decider.appendDecision(of: row.values, problem: row.problem, to: &json.bytes)
          json.bytes.append(UInt8(ascii: "]"))
        }
      case .redshift:
        json.member("success", true)
        json.member("num_records", rows.count)
        // A function of Redshift returns text, which here contains the object.
        json.array("results", rows) { row, json in
          var result: [UInt8] = []
          decider.appendDecision(of: row.values, problem: row.problem, to: &result)
          json.value(String(decoding: result, as: UTF8.self))
        }
      }
    }
    return json.bytes
  }
}

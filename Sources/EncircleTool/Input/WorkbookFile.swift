import ArgumentParser
import EncircleAuthoring
import EncircleText
import EncircleWorkbook

/// Workbooks on the command line.
enum WorkbookFile {
  /// Returns whether a file has the name of a workbook, ignoring case. Spreadsheets open no other content under such a name.
  static func isName(_ path: String) -> Bool { path.lowercased().endsWithBytes(of: ".xlsx") }

  /// Writes a workbook. If the table cannot be one, prints the reason and throws an exit code.
  ///
  /// - Parameter file: Nil for standard output.
  static func write(_ workbook: Workbook, to file: OutputFile?) throws {
    let bytes: [UInt8]
    do throws(WorkbookError) { bytes = try WorkbookWriter.bytes(workbook) } catch {
      throw ExitStatus.badData.failure("error: \(error)")
    }
    try TableFile.write(bytes, to: file)
  }

  /// Reads the table of a workbook.
  static func table(_ bytes: [UInt8], named path: String) throws -> [PlanSheet] {
    do throws(WorkbookError) { return try PlanWorkbook.table(bytes) } catch {
      throw ExitStatus.badData.failure("\(EventInput.name(of: path)): error: \(error)")
    }
  }
}

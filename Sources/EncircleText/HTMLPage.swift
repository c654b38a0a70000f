/// A self-contained page of HTML, which prints on A4 in landscape.
package enum HTMLPage {
  /// Returns the page.
  ///
  /// - Parameters:
  ///   - title: Its title and heading, as text.
  ///   - style: CSS rules in addition to the common ones for text, tables and print.
  ///   - body: The content below the heading, as HTML.
  package static func text(title: String, style: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(XMLText.escaped(title))</title>
    <style>
    \(common)
    \(style)
    </style>
    </head>
    <body>
    <h1>\(XMLText.escaped(title))</h1>
    \(body)</body>
    </html>

    """
  }

  /// Returns the head of a table, up to its first row.
  package static func tableHead(_ heads: [String]) -> String {
    "<table>\n<thead><tr>" + heads.map { "<th scope=\"col\">\($0)</th>" }.joined() + "</tr></thead>\n<tbody>\n"
  }

  private static let common = """
    :root { color-scheme: light; }
    body { font: 15px/1.4 system-ui, "Noto Sans CJK SC", sans-serif; color: #111827; background: #fff; margin: 2rem; }
    h1 { font-size: 1.6rem; } code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; } small { color: #4b5563; }
    table { border-collapse: collapse; width: 100%; } thead { display: table-header-group; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #e5e7eb; }
    tr { break-inside: avoid; } .count { text-align: right; }
    @page { size: A4 landscape; margin: 12mm; }
    @media print { body { margin: 0; font-size: 11px; } }
    """
}

import CLibxml2
import EncircleText

/// Describes problems that libxml2 finds in a document in our own words.
///
/// libxml2's messages quote names and bytes of the document. If a quote or an ampersand is not escaped, these may be parts of a typed
/// text.
enum XMLProblem {
  /// Returns the problem in words.
  static func description(of error: xmlError) -> String {
    let code = error.code
    if let open = error.str1, code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue) {
      return "the end tag does not match \(element(open))"
    }
    if let open = error.str1, code == Int32(XML_ERR_TAG_NOT_FINISHED.rawValue) {
      return "\(element(open)) has no end tag"
    }
    return messages[code] ?? "a syntax error (libxml2's number \(code))"
  }

  private static func element(_ name: UnsafeMutablePointer<CChar>) -> String {
    let bytes = UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self)
    return CaptureVocabulary.known(XMLTag.bytes(bytes)).map { "the open element '\($0)'" } ?? "the open element"
  }

  private static let messages: [Int32: String] = {
    let rows: [(xmlParserErrors, String)] = [
      (XML_ERR_DOCUMENT_EMPTY, "there is no element"),
      (XML_ERR_DOCUMENT_END, "there is content after the end of the root element"),
      (XML_ERR_INVALID_HEX_CHARREF, "a character reference is not a hexadecimal number"),
      (XML_ERR_INVALID_DEC_CHARREF, "a character reference is not a decimal number"),
      (XML_ERR_INVALID_CHARREF, "a character reference is malformed"),
      (XML_ERR_INVALID_CHAR, "a character is not allowed in XML"),
      (XML_ERR_ENTITYREF_NO_NAME, "'&' is not escaped as '&amp;'"),
      (XML_ERR_ENTITYREF_SEMICOL_MISSING, "'&' is not escaped as '&amp;', or ';' is missing after an entity"),
      (XML_ERR_UNDECLARED_ENTITY, "an entity is not declared, or '&' is not escaped as '&amp;'"),
      (XML_WAR_UNDECLARED_ENTITY, "an entity is not declared, or '&' is not escaped as '&amp;'"),
      (XML_ERR_UNSUPPORTED_ENCODING, "the declared encoding is unknown"),
      (XML_ERR_UNKNOWN_ENCODING, "the declared encoding is unknown"),
      (XML_ERR_LT_IN_ATTRIBUTE, "'<' in an attribute's value is not escaped as '&lt;'"),
      (XML_ERR_ATTRIBUTE_NOT_STARTED, "an attribute's value has no quotes"),
      (XML_ERR_ATTRIBUTE_NOT_FINISHED, "an attribute's value does not end, or '<' in it is not escaped"),
      (XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "an attribute has no value"),
      (XML_ERR_ATTRIBUTE_REDEFINED, "an attribute occurs twice in one element"),
      (XML_ERR_COMMENT_NOT_FINISHED, "a comment does not end"),
      (XML_ERR_HYPHEN_IN_COMMENT, "a comment has '--' in it"),
      (XML_ERR_PI_NOT_STARTED, "a processing instruction has no name"),
      (XML_ERR_PI_NOT_FINISHED, "a processing instruction does not end"),
      (XML_ERR_XMLDECL_NOT_STARTED, "the XML declaration is malformed"),
      (XML_ERR_XMLDECL_NOT_FINISHED, "the XML declaration does not end"),
      (XML_ERR_VERSION_MISSING, "the XML declaration has no version"),
      (XML_ERR_UNKNOWN_VERSION, "the XML declaration has an unknown version"),
      (XML_ERR_RESERVED_XML_NAME, "an XML declaration is not at the start"),
      (XML_ERR_CDATA_NOT_FINISHED, "a CDATA section does not end"),
      (XML_ERR_MISPLACED_CDATA_END, "']]>' is outside a CDATA section"),
      (XML_ERR_SPACE_REQUIRED, "white space is missing"),
      (XML_ERR_EQUAL_REQUIRED, "'=' is missing"),
      (XML_ERR_GT_REQUIRED, "'>' is missing at the end of a tag"),
      (XML_ERR_LT_REQUIRED, "'<' is missing"),
      (XML_ERR_LTSLASH_REQUIRED, "an end tag is missing"),
      (XML_ERR_NAME_REQUIRED, "a name is missing, or '<' is not escaped as '&lt;'"),
      (XML_ERR_STRING_NOT_STARTED, "a value has no quotes"),
      (XML_ERR_STRING_NOT_CLOSED, "a value does not end"),
      (XML_ERR_NAME_TOO_LONG, "a name is too long"),
      (XML_ERR_NO_MEMORY, "there is not enough memory"),
      (XML_NS_ERR_QNAME, "a name with ':' is malformed"),
    ]
    return Dictionary(rows.map { (Int32($0.0.rawValue), $0.1) }, uniquingKeysWith: { first, _ in first })
  }()
}

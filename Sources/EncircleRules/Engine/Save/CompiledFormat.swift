// The file of compiled rules: a header and sections, in the byte order and layout of the machine.
//
//     "encircle"  version  byte order  length  checksum │ count  element size  elements │ count …
//
// Elements begin at multiples of 64 bytes, so that they can be used in the memory into which the file was read.

package enum CompiledFormat {
  static let magic = Array("encircle".utf8)
  /// Must be raised with every change of the sections, of the layout of a type in them, or of the form in which values of events are
  /// compared with compiled tests.
  static let version: UInt32 = 12
  static let byteOrder: UInt32 = 0x0A0B_0C0D
  package static let headerLength = 64
  static let alignment = 64

  /// Returns a checksum. It detects damage, not malice; tables check their own contents.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    KeyHash.hash(bytes.bindMemory(to: UInt8.self), seed: 0x656E_6369_7263_6C65)
  }
}

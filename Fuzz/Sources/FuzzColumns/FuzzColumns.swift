import FuzzSupport

/// The functions of the C library, with columns, events and rules that programs pass to it.
@main
enum FuzzColumns {
  static func main() {
    fuzz { start, count in callLibrary(bytes(start, count)) }
  }
}

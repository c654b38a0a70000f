/// The version of Encircle, to which compiled rules belong.
package enum LibraryVersion {
  package static let text: StaticString = "0.2.0"
}

/// The version of Encircle. Compiled rules belong to one version.
package enum LibraryVersion {
  package static let text: StaticString = "0.2.0"
}

// swift-tools-version: 5.9
import PackageDescription

// For apps, so it depends on nothing. Tests/ is a package of its own, which builds the same sources where there is no UIKit.
let package = Package(
  name: "EncircleProbe",
  platforms: [.iOS(.v13)],
  products: [.library(name: "EncircleProbe", targets: ["EncircleProbe"])],
  targets: [.target(name: "EncircleProbe")]
)

// swift-tools-version: 5.9
import PackageDescription

// This is for apps, so it has no dependencies. Tests/ is a separate package, which builds the same sources without UIKit.
let package = Package(
  name: "EncircleProbe",
  platforms: [.iOS(.v13)],
  products: [.library(name: "EncircleProbe", targets: ["EncircleProbe"])],
  targets: [.target(name: "EncircleProbe")]
)

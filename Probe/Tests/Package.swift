// swift-tools-version: 5.9
import PackageDescription

// Builds the probe on Linux, against a module UIKit that stands in for Apple's.
let package = Package(
  name: "EncircleProbeTests",
  targets: [
    .target(name: "UIKit", path: "StandIn/UIKit", exclude: ["README.md"]),
    // A link to ../Sources/EncircleProbe, because the path of a target must be inside its package.
    .target(name: "EncircleProbe", dependencies: ["UIKit"], path: "Sources/EncircleProbe"),
    .testTarget(
      name: "EncircleProbeTests", dependencies: ["EncircleProbe", "UIKit"],
      // Otherwise, Swift Testing imports its module for Apple's UIKit, which is missing here.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ]
)

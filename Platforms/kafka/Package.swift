// swift-tools-version: 6.1
import PackageDescription

// The mock cluster and its tests. They are a separate package because they enable the trait Kafka, which makes SwiftPM rebuild
// every module.
let package = Package(
  name: "kafka",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "encircle", path: "../..", traits: ["Kafka"])],
  targets: [
    .target(name: "MockCluster", dependencies: [.product(name: "EncircleKafka", package: "encircle")]),
    .executableTarget(name: "mock-cluster", dependencies: ["MockCluster"]),
    .testTarget(
      name: "KafkaTests",
      dependencies: [
        "MockCluster", .product(name: "EncircleKafka", package: "encircle"),
        .product(name: "EncircleLog", package: "encircle"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

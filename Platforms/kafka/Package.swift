// swift-tools-version: 6.1
import PackageDescription

// What needs librdkafka, apart from the tool: the mock cluster, and the tests that use it. They are a package of their own, as
// they take the trait Kafka, which would have everything else built anew.
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

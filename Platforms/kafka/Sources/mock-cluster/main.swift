import Foundation
import MockCluster

// Runs a mock cluster with the topics named as arguments, each with eight partitions. Prints its brokers, and obeys
// `down NUMBER` and `up NUMBER` until standard input ends.
guard let cluster = MockCluster() else { fatalError("the mock cluster does not start") }
for topic in CommandLine.arguments.dropFirst() { cluster.create(topic, partitions: 8) }
// `print` would buffer the line, which another program waits for.
FileHandle.standardOutput.write(Data("\(cluster.brokers)\n".utf8))
while let line = readLine() {
  let words = line.split(separator: " ")
  guard words.count == 2, let broker = Int32(words[1]) else { continue }
  switch words[0] {
  case "down": cluster.setDown(broker)
  case "up": cluster.setUp(broker)
  default: break
  }
}

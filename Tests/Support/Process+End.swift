import Dispatch
import Foundation
import Testing

extension Process {
  /// Waits for the end of the process. A process that has not ended after ten minutes is killed, so that its test fails
  /// instead of waiting for ever.
  public func waitForEnd() {
    let patience = 600
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [weak self] in
      if let self, self.isRunning { kill(self.processIdentifier, SIGKILL) }
    }
    timer.schedule(deadline: .now() + .seconds(patience))
    timer.resume()
    defer { timer.cancel() }
    waitUntilExit()
    if ContinuousClock.now - start >= .seconds(patience) {
      Issue.record("killed after ten minutes: \(executableURL?.path ?? "") \(arguments ?? [])")
    }
  }
}

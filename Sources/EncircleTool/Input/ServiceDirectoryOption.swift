#if Service
  import ArgumentParser
  import EncircleService

  /// The directory of a service, for commands that use it while the service runs.
  struct ServiceDirectoryOption: ParsableArguments {
    @Option(help: ArgumentHelp("The directory of the service.", valueName: "dir"), completion: .directory)
    var data = "encircle-data"

    /// Runs `body` with the tokens of the directory.
    func useTokens(isMade: Bool, _ body: (ServiceTokens) throws -> Void) throws {
      try Self.reporting("\(data): the tokens cannot be used") {
        try StoreError.reportingFullDisk(in: data) { try body(ServiceTokens(directory: data, isMade: isMade)) }
      }
    }

    /// Runs `body`, and converts its error to a message and an exit status.
    ///
    /// - Parameter failure: The consequence of an error for the user. The message appends the error itself.
    static func reporting(_ failure: String, _ body: () throws -> Void) throws {
      do {
        try body()
      } catch let error as StoreError {
        printError("error: \(error)")
        if case .missing = error { throw ExitCode(ExitStatus.noInput.rawValue) }
        if case .damaged = error { throw ExitCode(ExitStatus.badData.rawValue) }
        throw ExitCode(ExitStatus.inputOutput.rawValue)
      } catch let code as ExitCode {
        throw code
      } catch {
        throw ExitStatus.inputOutput.failure("error: \(failure): \(error)")
      }
    }
  }
#endif

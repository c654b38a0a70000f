#if Service
  import ArgumentParser
  import EncircleService

  /// The directory of a service, for commands that work on it beside the service.
  struct ServiceDirectoryOption: ParsableArguments {
    @Option(help: ArgumentHelp("The directory of the service.", valueName: "dir"), completion: .directory)
    var data = "encircle-data"

    /// Runs `body` with the tokens of the directory.
    func useTokens(isMade: Bool, _ body: (ServiceTokens) throws -> Void) throws {
      try Self.reporting("\(data): the tokens cannot be used") {
        try body(ServiceTokens(directory: data, isMade: isMade))
      }
    }

    /// Runs `body`, and turns what stops it into a message and an exit status.
    ///
    /// - Parameter failure: What an error means for the user; the error itself follows it.
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
        printError("error: \(failure): \(error)")
        throw ExitCode(ExitStatus.inputOutput.rawValue)
      }
    }
  }
#endif

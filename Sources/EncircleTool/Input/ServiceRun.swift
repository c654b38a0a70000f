#if Service
  import ArgumentParser
  import EncircleInput
  import EncircleLog
  import EncircleRuleFiles
  import EncircleService
  import Foundation
  import Logging

  /// Functions shared by the commands that listen on an address.
  enum ServiceRun {
    /// Returns the settings of a configuration file, with defaults for missing ones; only the defaults if no file is named.
    static func configuration(
      _ file: String?, defaults: ServiceConfiguration = ServiceConfiguration()
    ) throws -> ServiceConfiguration {
      var settings = defaults
      guard let file else { return settings }
      do {
        try settings.read(file: file)
      } catch let error as InputError {
        throw ExitStatus(error).failure("\(file): error: \(error)")
      } catch let error as RuleFileErrors {
        printErrors(error.description)
        throw ExitCode(ExitStatus.badData.rawValue)
      }
      return settings
    }

    /// Prints the address of the service to standard output.
    static func announce(_ name: String, _ host: String, _ port: Int) {
      let shown = host.contains(":") ? "[\(host)]" : host
      try? FileHandle.standardOutput.write(contentsOf: Data("\(name): listening on http://\(shown):\(port)/\n".utf8))
    }

    /// Runs a service with the log of its configuration, and converts its error to a message and an exit status.
    ///
    /// - Parameter directory: The directory that the service uses, for messages.
    static func reporting(
      _ directory: String, _ settings: ServiceConfiguration, _ body: (Logger) throws -> Void
    ) throws {
      // Writing to a closed pipe must be an error of that write, not end the service.
      signal(SIGPIPE, SIG_IGN)
      LoggingSystem.bootstrap { label in
        ServiceLog(label: label, format: settings.logFormat, level: settings.logLevel)
      }
      do {
        try StoreError.reportingFullDisk(in: directory) { try body(Logger(label: "encircle")) }
      } catch let error as ServiceStartError {
        switch error {
        case .needsToken, .needsTokenFile:
          printError("error: \(error)")
          throw ExitCode.validationFailure
        case .rules(let problems, let isMissing):
          printErrors(problems)
          throw ExitCode((isMissing ? ExitStatus.noInput : .badData).rawValue)
        case .input(let problem, let isMissing):
          printError("error: \(problem)")
          throw ExitCode((isMissing ? ExitStatus.noInput : .inputOutput).rawValue)
        case .address: throw ExitStatus.inputOutput.failure("error: \(error)")
        }
      } catch let error as StoreError {
        throw ExitStatus.inputOutput.failure("error: \(error)")
      } catch let error as LogError {
        throw ExitStatus.inputOutput.failure("error: \(error)")
      } catch let code as ExitCode {
        throw code
      } catch {
        throw ExitStatus.inputOutput.failure("error: \(directory): the service cannot run: \(error)")
      }
    }
  }

  extension LogFormat: ExpressibleByArgument {}
  extension Logger.Level: @retroactive ExpressibleByArgument {}
#endif

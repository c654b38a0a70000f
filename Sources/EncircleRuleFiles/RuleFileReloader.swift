#if FILES
  import EncircleIdentity
  import EncircleInput
  import EncircleRules
  import EncircleText

  /// Reloads rule files into a `LiveMatcher` when they change. A set with a problem keeps the rules that are in force.
  ///
  /// ```swift
  /// let reloader = RuleFileReloader(["Rules"])
  /// let live = LiveMatcher(try reloader.load())
  /// Task { await reloader.run(updating: live) { print($0) } }
  /// ```
  ///
  /// Files are compared by name, size, time of the last change and inode; a link counts as the file to which it leads. To change a
  /// file, write it under another name and rename it, as editors do: a file that is read while it is being written may happen to be
  /// valid and mean something else.
  public struct RuleFileReloader: Sendable {
    /// The result of checking files that have changed.
    public enum Outcome: Sendable {
      /// The rules are in force; there are that many.
      case reloaded(ruleCount: Int, duration: Duration)
      /// The files have problems; the rules from before stay in force.
      case rejected(RuleFileErrors)
    }

    private struct Fingerprint: Hashable {
      let path: UTF8String
      let stamp: FileStamp?
    }

    private let paths: [String]
    private let dictionary: @Sendable (PathStyleName) throws -> ElementDictionary
    // Taken before the files are first read, so that a change since then is found.
    private let initial: Set<Fingerprint>

    /// Creates a reloader of files, and of the rule files of directories.
    ///
    /// - Parameter dictionary: Makes the dictionary of event IDs for the path style of the rules; empty by default.
    public init(
      _ paths: [String],
      dictionary: @escaping @Sendable (PathStyleName) throws -> ElementDictionary = { _ in ElementDictionary() }
    ) {
      self.paths = paths
      self.dictionary = dictionary
      initial = Self.fingerprints(of: paths)
    }

    /// Loads the rules as they are now.
    ///
    /// - Throws: ``RuleFileErrors`` with every problem of every file, `CompiledRulesError`, or an error of the dictionary.
    public func load() throws -> Matcher {
      let files = RuleFiles(paths)
      if files.names.count == 1, let compiled = files.compiled.first {
        let rules = try compiled.rules.get()
        return try Matcher(compiled: rules, dictionary: try dictionary(rules.style))
      }
      let ruleSet = try files.ruleSet()
      return Matcher(ruleSet, dictionary: try dictionary(ruleSet.style))
    }

    /// Checks the files at intervals and puts their rules in force after each change, until the task is cancelled. If there is no
    /// dictionary for the rules, each check tries again.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks.
    ///   - report: Called after each attempt to put rules in force, such as for a log and metrics.
    public func run(
      updating live: LiveMatcher, every interval: Duration = .seconds(2), report: @Sendable (Outcome) async -> Void
    ) async {
      var known = initial
      while !Task.isCancelled {
        do { try await Task.sleep(for: interval) } catch { return }
        let current = Self.fingerprints(of: paths)
        guard current != known else { continue }
        let (outcome, isFinal) = attempt(live)
        if isFinal { known = current }
        await report(outcome)
      }
    }

    /// Loads the rules as they are now and puts them in force, or keeps the rules in force if there is a problem.
    public func reload(into live: LiveMatcher) -> Outcome { attempt(live).outcome }

    /// Does what ``reload(into:)`` does, and also returns whether another attempt with the same files would have the same outcome.
    private func attempt(_ live: LiveMatcher) -> (outcome: Outcome, isFinal: Bool) {
      let start = ContinuousClock.now
      do {
        let matcher = try load()
        live.replace(by: matcher)
        return (.reloaded(ruleCount: matcher.ruleCount, duration: ContinuousClock.now - start), true)
      } catch let error as RuleFileErrors {
        return (.rejected(error), true)
      } catch {
        let errors = RuleFileErrors([Diagnostic("\(error)", file: paths.first)], isMissingInput: false)
        // An error of the dictionary may pass.
        return (.rejected(errors), error is CompiledRulesError)
      }
    }

    private static func fingerprints(of paths: [String]) -> Set<Fingerprint> {
      Set(
        paths.flatMap { RuleDirectory.files($0) ?? [$0] }.map {
          Fingerprint(path: UTF8String($0), stamp: FileStamp($0))
        })
    }
  }
#endif

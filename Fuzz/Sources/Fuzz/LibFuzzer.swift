#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs libFuzzer with the program's arguments and exits.
///
/// - Parameter test: A function that uses the bytes, and traps if the result is wrong. As a C function, it captures nothing.
func runLibFuzzer(_ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt) -> Never {
  var count = CommandLine.argc
  var arguments = CommandLine.unsafeArgv
  exit(runDriver(&count, &arguments, test))
}

@_silgen_name("__lsan_disable")
private func disableLeakDetection()
@_silgen_name("__lsan_enable")
private func enableLeakDetection()

/// Makes a value that lives as long as the process. Swift keeps bits of an enum's case in pointers, which the leak detector does
/// not recognize.
func livingForEver<T>(_ body: () -> T) -> T {
  disableLeakDetection()
  defer { enableLeakDetection() }
  return body()
}

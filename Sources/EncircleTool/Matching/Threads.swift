#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// These are system threads rather than tasks, because reading and writing block. The few threads for tasks must not block.

/// A lock that lets one thread at a time change the state that it guards.
final class Lock: @unchecked Sendable {
  // The system's mutex, which several threads use. It is never moved.
  fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<R>(_ body: () throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

/// A condition variable for threads that hold a lock.
final class ThreadSignal: @unchecked Sendable {
  // Like the mutex, it is never moved.
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let lock: Lock

  init(_ lock: Lock) {
    self.lock = lock
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  /// Releases the lock until a signal. It may also wake up spuriously, so call it in a loop.
  func wait() { pthread_cond_wait(condition, lock.mutex) }

  /// Releases the lock until a signal, at most for a number of seconds. It may also wake up spuriously.
  func wait(seconds: Double) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = Int(now.tv_nsec) + Int(seconds * 1e9)
    var end = timespec()
    end.tv_sec = now.tv_sec + time_t(nanoseconds / 1_000_000_000)
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, lock.mutex, &end)
  }

  func signal() { pthread_cond_signal(condition) }
  func broadcast() { pthread_cond_broadcast(condition) }
}

/// A running thread. It receives no signals, because these are for the thread that reads.
struct RunningThread: @unchecked Sendable {
  // Unchecked, because some systems identify a thread by a pointer. This pointer is never followed.
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  // The default stack size differs between systems, and is small on some.
  private static let stackSize = 4 << 20

  private let thread: pthread_t

  /// Starts a thread; nil if the system cannot start another one.
  init?(_ body: @escaping @Sendable () -> Void) {
    var everything = sigset_t()
    var before = sigset_t()
    sigfillset(&everything)
    pthread_sigmask(SIG_SETMASK, &everything, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let body = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var started: pthread_t?
      let failure = pthread_create(&started, &attributes, { Self.run($0) }, body.toOpaque())
    #else
      var started = pthread_t()
      let failure = pthread_create(&started, &attributes, { Self.run($0!) }, body.toOpaque())
    #endif
    #if canImport(Darwin)
      guard failure == 0, let started else {
        body.release()
        return nil
      }
    #else
      guard failure == 0 else {
        body.release()
        return nil
      }
    #endif
    thread = started
  }

  private static func run(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
    return nil
  }

  /// Waits until the thread ends.
  func join() { pthread_join(thread, nil) }
}

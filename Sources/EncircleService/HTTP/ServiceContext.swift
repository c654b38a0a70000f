import Hummingbird
import NIOCore
import Synchronization

/// The context of a request: its caller, its client's address and its connection.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The caller; anonymous on routes without a role.
  ///
  /// All copies of the context share it, because the middleware that logs the request copies the context before the caller is known.
  var caller: Caller {
    get { known.caller.withLock { $0 } }
    nonmutating set { known.caller.withLock { $0 = newValue } }
  }

  private final class Known: Sendable {
    let caller = Mutex(Caller(name: "anonymous", role: .collect))
  }

  private let known = Known()
  /// The address of the client, without the port.
  let remoteAddress: String?
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    remoteAddress = source.channel.peerAddress
  }
}

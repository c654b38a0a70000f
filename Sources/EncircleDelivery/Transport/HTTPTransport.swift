import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests by HTTP with `POST`, through Foundation's `URLSession`.
///
/// ```swift
/// let transport = HTTPTransport(url: URL(string: "https://data.example.com/sa?project=default")!)
/// ```
/// On Linux it needs libcurl, which also handles `http_proxy` and the like. It does not follow redirects, because a redirected
/// `POST` would arrive as a `GET` without events, and it uses no cookies or caches.
public final class HTTPTransport: Transport {
  /// The largest answer, in bytes. A longer one is an error: ``TransportError/answerTooLong(limit:)``.
  public static let longestAnswer = 1 << 20
  /// The number of bytes of an answer that are kept.
  static let keptAnswer = 4096

  private let url: URL
  private let headers: [(name: String, value: String)]
  private let timeout: Double
  private let session: URLSession
  private let delegate: SessionDelegate

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - url: The URL to which requests are sent, including its query.
  ///   - headers: Further header fields, such as for authorisation; they replace fields of the same name.
  ///   - timeout: The seconds after which a request has failed, even if a part of the answer has arrived; at most a day.
  public init(url: URL, headers: [(name: String, value: String)] = [], timeout: Double = 30) {
    self.url = url
    self.headers = headers
    // On Linux, URLSession converts its timeout to an integer, and the process ends if that is not possible.
    self.timeout = min(max(0.01, timeout), 86_400)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    // This transport keeps the deadline itself, because each byte restarts the timeout of the session.
    configuration.timeoutIntervalForRequest = self.timeout + 1
    configuration.httpMaximumConnectionsPerHost = 16
    delegate = SessionDelegate()
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  // The session holds its delegate until it is invalidated.
  deinit { session.invalidateAndCancel() }

  /// Sends a request, and waits for the whole answer until the timeout.
  ///
  /// - Throws: ``TransportError`` if there was no complete answer.
  public func send(_ request: DeliveryRequest) async throws(TransportError) -> DeliveryAnswer {
    var http = URLRequest(url: url)
    http.httpMethod = "POST"
    http.httpBody = Data(request.body)
    for (name, value) in request.headers + headers { http.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: http)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<DeliveryAnswer, TransportError>, Never>) in
        delegate.begin(task, timeout: timeout) { continuation.resume(returning: $0) }
        task.resume()
      }
    } onCancel: {
      delegate.end(task, .failure(.cancelled))
      task.cancel()
    }
    return try result.get()
  }
}

/// Assembles the answers of tasks.
///
/// Each task has one result; anything that comes later is ignored.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
  typealias Completion = @Sendable (Result<DeliveryAnswer, TransportError>) -> Void

  private struct Exchange {
    let completion: Completion
    var body: [UInt8] = []
    var length = 0
  }

  private struct State {
    var exchanges: [Int: Exchange] = [:]
    // The numbers of tasks that were cancelled before they began.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  func begin(_ task: URLSessionTask, timeout: Double, _ completion: @escaping Completion) {
    let number = task.taskIdentifier
    let isCancelled = state.withLock { state in
      if state.cancelled.remove(number) != nil { return true }
      state.exchanges[number] = Exchange(completion: completion)
      return false
    }
    if isCancelled { return completion(.failure(.cancelled)) }
    DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self, weak task] in
      guard let self, let task, self.finish(number, .failure(.timeout)) else { return }
      task.cancel()
    }
  }

  func end(_ task: URLSessionTask, _ result: Result<DeliveryAnswer, TransportError>) {
    let number = task.taskIdentifier
    if !finish(number, result) { state.withLock { _ = $0.cancelled.insert(number) } }
  }

  /// Ends an exchange, unless it has already ended.
  @discardableResult private func finish(_ number: Int, _ result: Result<DeliveryAnswer, TransportError>) -> Bool {
    guard let exchange = state.withLock({ $0.exchanges.removeValue(forKey: number) }) else { return false }
    exchange.completion(result)
    return true
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let number = dataTask.taskIdentifier
    let isTooLong = state.withLock { state in
      guard var exchange = state.exchanges.removeValue(forKey: number) else { return false }
      exchange.length += data.count
      exchange.body += data.prefix(max(0, HTTPTransport.keptAnswer - exchange.body.count))
      state.exchanges[number] = exchange
      return exchange.length > HTTPTransport.longestAnswer
    }
    guard isTooLong else { return }
    finish(number, .failure(.answerTooLong(limit: HTTPTransport.longestAnswer)))
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // The redirect itself becomes the answer, with its body. The task is not cancelled here: on Linux the process ends if the
    // cancellation overtakes the handler.
    completionHandler(nil)
  }

  /// Ends a request whose reused connection was closed without an answer.
  ///
  /// The system would send the body again, on another connection. On Linux it cannot, and would keep the task open and the
  /// processor busy until the deadline.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    finish(task.taskIdentifier, .failure(.connection("the receiver closed the connection")))
    completionHandler(nil)
    // The task is not cancelled on this queue, because cancelling waits for the queue.
    DispatchQueue.global().async { task.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let number = task.taskIdentifier
    if let error {
      let isTimeout = (error as? URLError)?.code == .timedOut
      finish(number, .failure(isTimeout ? .timeout : .connection(Self.text(error))))
    } else if let response = task.response as? HTTPURLResponse {
      let body = state.withLock { $0.exchanges[number]?.body } ?? []
      finish(number, .success(Self.answer(response, body)))
    } else {
      finish(number, .failure(.connection("the answer is not HTTP")))
    }
    state.withLock { _ = $0.cancelled.remove(number) }
  }

  private static func answer(_ response: HTTPURLResponse, _ body: [UInt8]) -> DeliveryAnswer {
    let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap {
      RetryAfter.seconds(
        $0, date: response.value(forHTTPHeaderField: "Date"), now: Date().timeIntervalSince1970)
    }
    return DeliveryAnswer(status: response.statusCode, body: body, retryAfter: retryAfter)
  }

  private static func text(_ error: any Error) -> String {
    let error = error as NSError
    // The URL is left out, because it may contain a token.
    return (error.userInfo[NSLocalizedDescriptionKey] as? String) ?? "no connection (\(error.domain) \(error.code))"
  }
}

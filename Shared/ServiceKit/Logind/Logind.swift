import Bus
import Model

/// The part of this host's login manager that reports and prevents the host's sleep.
///
/// It has one connection to the system bus, on a thread of its own that ends with it. A lost connection is not opened
/// again; create a new object instead.
public actor Logind {
  /// The events of the host.
  public enum Event: Hashable, Sendable {
    /// The host goes to sleep as soon as no lock delays that.
    case goesToSleep
    /// The host is awake: at the start, after sleep, or after sleep was cancelled.
    case isAwake
  }

  /// The events of the host, of which the first is its present state. The stream ends when the connection is lost or
  /// closed, and has one reader.
  public nonisolated let events: AsyncStream<Event>

  private let thread = IOThread()
  private let address: String?
  private let happened: AsyncStream<Event>.Continuation
  private var bus: SystemBus?
  private var isClosed = false

  /// The executor of its own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates a connection, which `open` opens.
  ///
  /// - Parameter address: the address of the bus; nil for the system bus.
  public init(busAddress address: String? = nil) {
    self.address = address
    (events, happened) = AsyncStream.makeStream()
  }

  deinit {
    happened.finish()
    thread.stop()
  }

  /// Connects, and returns after logind has answered.
  ///
  /// - Throws: `service.noLogind` if there is no logind.
  public nonisolated func open() async throws {
    if let failure = thread.failure { throw failure }
    try await connect()
  }

  private func connect() async throws {
    guard !isClosed else { throw Self.missing("the connection is closed") }
    let manager = Self.manager
    do throws(BusFailure) {
      // The signal is subscribed to before the state is requested, so that no change is missed.
      bus = try SystemBus(
        address, of: Self.service, patience: 5_000_000,
        rules: ["sender='\(Self.service)',path='\(Self.path)',interface='\(manager)',member='PrepareForSleep'"])
    } catch {
      throw Self.missing(error.description)
    }
    bus?.heard = { [happened] message in
      // A signal of an unexpected form is ignored.
      do { happened.yield(try message.flag() ? .goesToSleep : .isAwake) } catch {}
    }
    let isSleeping = try await ask("Get", [manager, "PreparingForSleep"], of: "org.freedesktop.DBus.Properties") {
      try $0.enter("v", of: "b")
      return try $0.flag()
    }
    happened.yield(isSleeping ? .goesToSleep : .isAwake)
  }

  /// Takes a lock.
  ///
  /// - Parameters:
  ///   - kind: the kind of the lock.
  ///   - why: the reason, which logind shows to people who list the locks.
  /// - Throws: `service.noLogind` if logind does not answer or refuses.
  public func inhibit(_ kind: InhibitorLock.Kind, why: String) async throws -> InhibitorLock {
    let words = kind.words
    return try await ask("Inhibit", [words.what, "Lunara", why, words.mode]) { try InhibitorLock(answer: $0) }
  }

  private func ask<Value: Sendable>(
    _ member: String, _ words: [String], of interface: String = Logind.manager,
    _ read: @escaping @Sendable (BusMessage) throws -> Value
  ) async throws -> Value {
    guard let bus else { throw Self.missing("the connection is closed") }
    return try await withCheckedThrowingContinuation { (answered: CheckedContinuation<Value, any Error>) in
      let answer: SystemBus.Answer = { answer in
        answered.resume(with: Result { try read(answer.get()) }.mapError { Self.missing(String(describing: $0)) })
      }
      do throws(BusFailure) {
        try bus.call(member, of: interface, at: Self.path, words.map(BusValue.text), answer: answer)
      } catch {
        answer(.failure(error))
      }
      work()
    }
  }

  /// Closes the connection. Locks stay held.
  public nonisolated func close() async {
    if thread.failure == nil { await leave() }
  }

  private func leave() {
    isClosed = true
    drop(BusFailure(description: "the connection is closed"))
  }

  /// Processes the connection's messages, and drops the connection if it is lost.
  private func work() {
    do throws(BusFailure) {
      try bus?.work(on: thread) { [weak self] in self?.assumeIsolated { $0.work() } }
    } catch {
      drop(error)
    }
  }

  private func drop(_ failure: BusFailure) {
    guard let bus else { return }
    self.bus = nil
    bus.end(on: thread, failure)
    happened.finish()
  }

  private static let service = "org.freedesktop.login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let path = "/org/freedesktop/login1"

  static func missing(_ cause: String) -> LunaraError {
    LunaraError(
      "service.noLogind",
      "Lunara cannot follow or prevent this machine's sleep: logind does not answer on the system's D-Bus. It is looked for again by itself.",
      cause: cause)
  }
}

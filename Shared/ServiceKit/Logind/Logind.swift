import Bus
import CSystemd
import Model

/// The login manager of this host, as far as it tells of the host's sleep and keeps it from that.
///
/// One connection to the system's bus, on a thread of its own that ends with it. Who wants another once this one is lost
/// makes another.
public actor Logind {
  /// The events of the host.
  public enum Event: Hashable, Sendable {
    /// It goes to sleep, as soon as all who delay that let it.
    case goesToSleep
    /// It is awake; whether it has slept or not.
    case isAwake
  }

  /// The events of the host, its present state first; ends when the connection is lost or closed. For one reader.
  public nonisolated let events: AsyncStream<Event>

  private let thread = IOThread()
  private let address: String?
  private let happened: AsyncStream<Event>.Continuation
  private var connection: LogindConnection?
  private var watched: Int32?
  private var isClosed = false

  /// Runs on its own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Makes a connection that is not open yet.
  ///
  /// - Parameter address: the bus; nil for the system's.
  public init(busAddress address: String? = nil) {
    self.address = address
    (events, happened) = AsyncStream.makeStream()
  }

  deinit {
    happened.finish()
    thread.stop()
  }

  /// Connects; returns when logind has answered.
  ///
  /// - Throws: `service.noLogind` where there is none.
  public nonisolated func open() async throws {
    if let failure = thread.failure { throw failure }
    try await connect()
  }

  private func connect() async throws {
    guard !isClosed else { throw Self.missing("the connection is closed") }
    let connection = try LogindConnection(address) { [happened] in happened.yield($0 ? .goesToSleep : .isAwake) }
    self.connection = connection
    // The signals are subscribed to already, so nothing is missed between this answer and them.
    let isSleeping = try await withCheckedThrowingContinuation { (answered: CheckedContinuation<Bool, any Error>) in
      connection.call(
        "Get", ["org.freedesktop.login1.Manager", "PreparingForSleep"], of: "org.freedesktop.DBus.Properties"
      ) { answer in answered.resume(with: answer.map(Self.flag).mapError { $0 }) }
      work()
    }
    happened.yield(isSleeping ? .goesToSleep : .isAwake)
  }

  /// Takes a lock.
  ///
  /// - Parameters:
  ///   - kind: against what.
  ///   - why: the reason that a person reads who asks for it.
  /// - Throws: `service.noLogind` where logind is gone or refuses.
  public func inhibit(_ kind: InhibitorLock.Kind, why: String) async throws -> InhibitorLock {
    guard let connection else { throw Self.missing("the connection is closed") }
    let words = kind.words
    return try await withCheckedThrowingContinuation { (answered: CheckedContinuation<InhibitorLock, any Error>) in
      connection.call("Inhibit", [words.what, "Lunara", why, words.mode]) { answer in
        switch answer {
        case .success(let message):
          if let lock = InhibitorLock(answer: message) { return answered.resume(returning: lock) }
          answered.resume(throwing: Self.missing("the answer holds no descriptor"))
        case .failure(let error): answered.resume(throwing: error)
        }
      }
      work()
    }
  }

  /// Leaves the bus. Locks that are held stay so.
  public nonisolated func close() async {
    if thread.failure == nil { await leave() }
  }

  private func leave() {
    isClosed = true
    drop(Self.missing("the connection is closed"))
  }

  /// Lets the connection work, and gives it up where it is lost.
  private func work() {
    guard let connection else { return }
    do {
      try connection.process()
      let (number, events) = try connection.descriptor()
      if let watched, watched != number { thread.ignore(watched) }
      watched = number
      thread.watch(number, for: events) { [weak self] in self?.assumeIsolated { $0.work() } }
      thread.schedule(at: connection.timeToWait.map { .now + $0 }) { [weak self] in self?.assumeIsolated { $0.work() } }
    } catch {
      drop(error)
    }
  }

  private func drop(_ error: LunaraError) {
    guard let connection else { return }
    self.connection = nil
    if let watched { thread.ignore(watched) }
    watched = nil
    thread.schedule(at: nil) {}
    connection.giveUp(error)
    happened.finish()
  }

  /// The flag in a variant; false where it is none.
  private static func flag(_ message: OpaquePointer) -> Bool {
    var flag: Int32 = 0
    guard sd_bus_message_enter_container(message, CChar(UInt8(ascii: "v")), "b") > 0,
      sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &flag) > 0
    else { return false }
    return flag != 0
  }

  /// The error of a host whose logind cannot be asked.
  static func missing(_ cause: String) -> LunaraError {
    LunaraError(
      "service.noLogind",
      "Lunara does not hear of this machine's sleep, nor can it keep it awake, as logind cannot be asked on the system's D-Bus. It is looked for again by itself.",
      cause: cause)
  }
}

import Messages
import Model
import System

/// Calls the functions of one plugin. Its process is started for the first call and ended 30 s after the last one, and
/// ended whenever it breaks a bound. Every call ends by its deadline.
actor PluginRunner {
  /// The answer to a question of the plugin: a value, or the words of an error.
  typealias Answer = @Sendable (_ kind: String, _ fields: JSONView) async -> Result<PluginValue, QuestionError>

  /// A failure of a question, whose words the plugin gets.
  struct QuestionError: Error, Hashable {
    var words: String

    init(_ words: String) { self.words = words }
  }

  /// The times that a plugin is given.
  struct Times: Sendable {
    /// The time after the last call after which the process is ended.
    var linger = Duration.seconds(30)
  }

  private struct Call {
    var continuation: CheckedContinuation<PluginValue, any Error>
    var deadline: Task<Void, Never>
  }

  /// The most questions that wait for an answer.
  private static let questionLimit = 64
  /// The most lines of the log that are kept.
  private static let logLimit = 100
  /// The most links that are kept.
  private static let linkLimit = 5

  let id: String
  private let name: String
  private let text: String
  private let program: String
  private let limits: PluginProcess.Limits
  private let times: Times
  private let answer: Answer
  /// Called when the plugin had to be ended.
  private let ended: @Sendable (LunaraError) async -> Void

  private var process: PluginProcess?
  /// Tells the events of this process from those of former ones.
  private var generation = 0
  private var calls: [Int: Call] = [:]
  private var lastCall = 0
  private var questions: [Int: Task<Void, Never>] = [:]
  private var idle: Task<Void, Never>?
  /// The newest lines of its log, and what was refused to it.
  private(set) var log: [String] = []
  /// The number of its requests to the network that failed, and the words about the last one.
  private(set) var failedRequests = 0
  private var requestFailure = ""
  /// The addresses that it wanted to open, the newest one last. Nothing here opens them.
  private(set) var links: [String] = []
  /// The ids of the scrobblers that it has registered.
  private(set) var scrobblers: Set<String> = []
  /// The process in which the function `init` was called last.
  private var initialised = 0

  /// - Parameters:
  ///   - text: the file of the plugin.
  ///   - program: the file of `lunara-plugin`.
  init(
    id: String, name: String, text: String, program: String, limits: PluginProcess.Limits = .init(),
    times: Times = Times(), answer: @escaping Answer, ended: @escaping @Sendable (LunaraError) async -> Void
  ) {
    self.id = id
    self.name = name
    self.text = text
    self.program = program
    self.limits = limits
    self.times = times
    self.answer = answer
    self.ended = ended
  }

  /// True while its process runs.
  var isRunning: Bool { process != nil }
  /// The id of its process; nil while none runs.
  var processID: Int32? { process?.pid }

  /// Calls a function and returns what its promise gives.
  ///
  /// - Parameters:
  ///   - deadline: the time after which the call fails and the process is ended.
  ///   - account: the index of the argument that gets the function `refreshToken`; nil for none.
  ///   - scrobbler: the id of the registered scrobbler whose function is called; nil for the plugin's own.
  /// - Throws: `resolver.pluginTooSlow`, `resolver.pluginEnded`, `resolver.pluginFailed`, `resolver.pluginNotLoaded`,
  ///   `CancellationError`.
  func call(
    _ function: String, _ arguments: [PluginValue], within deadline: Duration, account: Int? = nil,
    scrobbler: String? = nil
  ) async throws -> PluginValue {
    try Task.checkCancellation()
    lastCall += 1
    let number = lastCall
    let line = PluginValue.members([
      "call": .number(Double(number)), "function": .text(function), "arguments": .list(arguments),
      "account": account.map { .number(Double($0)) }, "scrobbler": .optional(scrobbler),
    ])
    let bytes = try line.json()
    try start()
    idle?.cancel()
    idle = nil
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let timer = Task {
          // A cancelled sleep means that the call has ended.
          do { try await Task.sleep(for: deadline) } catch { return }
          await self.expire(number, deadline)
        }
        calls[number] = Call(continuation: continuation, deadline: timer)
        process?.send(bytes)
      }
    } onCancel: {
      Task { await self.finish(number, .failure(CancellationError())) }
    }
  }

  /// Loads the plugin, and returns once it is there. Throws as `call`.
  func load(within deadline: Duration) async throws {
    do { _ = try await call("", [], within: deadline) } catch let error as LunaraError {
      // A function without a name is in no plugin: the call is answered once the file is loaded.
      guard error.code == "resolver.pluginFailed" else { throw error }
    }
  }

  /// Returns the scrobblers that the plugin registers in its function `init`, which is called once in each process.
  ///
  /// - Throws: `resolver.noScrobbler` if it registers none, and the errors of `call`.
  func registeredScrobblers(_ config: PluginValue, within deadline: Duration) async throws -> [String] {
    if process == nil || initialised != generation {
      _ = try await call("init", [config], within: deadline)
      initialised = generation
    }
    guard !scrobblers.isEmpty else { throw PluginError.noScrobbler(name) }
    return scrobblers.sorted()
  }

  /// Ends the process. Calls fail.
  func stop() async { end(PluginError.ended(name, .ended)) }

  /// Adds a line to the log.
  func appendToLog(_ line: String) {
    guard let line = PluginError.bounded(line, 500), log.last != line else { return }
    log.append(line)
    if log.count > Self.logLimit { log.removeFirst(log.count - Self.logLimit) }
  }

  /// Throws if a request of the plugin has failed since `failedRequests` had a value: an empty answer then says
  /// nothing.
  ///
  /// - Throws: `resolver.pluginFailed`.
  func checkRequests(since count: Int) throws {
    guard failedRequests > count else { return }
    throw PluginError.failed(name, "It found nothing, and one of its requests failed: \(requestFailure)")
  }

  /// Remembers an address that the plugin wanted to open, so that a person may do so.
  private func offer(_ address: String) {
    guard let link = SourceAnswers.address(.text(address)) else {
      return appendToLog("It wanted to open \(address), which is no address of a page.")
    }
    appendToLog("It wanted to open \(link). Nothing is opened here; the address is offered as a link.")
    links.removeAll { $0 == link }
    links.append(link)
    if links.count > Self.linkLimit { links.removeFirst() }
  }

  // MARK: - The process

  private func start() throws {
    guard process == nil else { return }
    generation += 1
    let generation = generation
    let (events, continuation) = AsyncStream.makeStream(of: PluginProcess.Event.self)
    let process: PluginProcess
    do throws(Errno) {
      process = try PluginProcess(program, limits: limits) { event in
        continuation.yield(event)
        if case .ended = event { continuation.finish() }
      }
    } catch { throw PluginError.ended(name, .notStarted(error)) }
    self.process = process
    scrobblers = []
    process.send(try PluginValue.object(["load": .text(text)]).json())
    Task {
      for await event in events {
        await self.handle(event, of: generation)
        if case .line(_, let bytes) = event { process.handled(bytes) }
      }
    }
  }

  private func handle(_ event: PluginProcess.Event, of generation: Int) async {
    guard generation == self.generation, process != nil else { return }
    switch event {
    case .line(let line, _): await handle(line)
    case .ended(let ending):
      let error = PluginError.ended(name, ending)
      end(error)
      await ended(error)
    }
  }

  private func handle(_ line: JSONView) async {
    if let number = line["call"]?.integer {
      finish(Int(clamping: number), result(of: line))
    } else if let number = line["ask"]?.integer {
      ask(Int(clamping: number), line)
    } else if let words = line["log"]?.string {
      appendToLog("\(words): \(line["text"]?.string ?? "")")
    } else if let address = line["link"]?.string {
      offer(address)
    } else if let scrobbler = line["scrobbler"]?.string, scrobblers.count < 10 {
      if line["isRegistered"]?.isTrue == true { scrobblers.insert(scrobbler) } else { scrobblers.remove(scrobbler) }
    } else if let words = line["failed"]?.string {
      end(PluginError.notLoaded(name, words))
    } else if let faults = line["loaded"]?["faults"] {
      for fault in faults.elements.prefix(20) {
        appendToLog(
          "Its function \(fault["function"]?.string ?? "?") cannot be used: \(fault["message"]?.string ?? "")")
      }
    } else if let reason = line["ended"]?.string {
      let error = reason == "tooLong" ? PluginError.tooLong(name) : PluginError.ended(name, .flooded)
      end(error)
      await ended(error)
    }
  }

  private func result(of line: JSONView) -> Result<PluginValue, any Error> {
    if let error = line["error"] {
      let words = error["message"]?.string
      return .failure(
        error["isAuthError"]?.isTrue == true
          ? PluginError.accountRefused(name, id, words) : PluginError.failed(name, words))
    }
    guard let result = line["result"] else { return .success(.null) }
    guard let value = PluginValue(result) else {
      return .failure(PluginError.badAnswer(name, "it has lists within lists without end"))
    }
    return .success(value)
  }

  private func ask(_ number: Int, _ line: JSONView) {
    guard questions.count < Self.questionLimit, questions[number] == nil else {
      return send(["answer": .number(Double(number)), "error": .text("Too many questions at once")])
    }
    let (answer, kind) = (answer, line["kind"]?.string ?? "")
    questions[number] = Task {
      let result = await answer(kind, line)
      guard !Task.isCancelled else { return }
      questions[number] = nil
      if let words = Self.requestFailure(in: result, to: kind) {
        failedRequests += 1
        requestFailure = words
      }
      switch result {
      case .success(let value): send(["answer": .number(Double(number)), "result": value])
      case .failure(let error): send(["answer": .number(Double(number)), "error": .text(error.words)])
      }
    }
  }

  private func send(_ line: [String: PluginValue]) {
    do { process?.send(try PluginValue.object(line).json()) } catch {
      // All values come from JSON, so they can be written.
    }
  }

  private func finish(_ number: Int, _ result: Result<PluginValue, any Error>) {
    guard let call = calls.removeValue(forKey: number) else { return }
    call.deadline.cancel()
    call.continuation.resume(with: result)
    guard calls.isEmpty, process != nil else { return }
    let linger = times.linger
    idle = Task {
      // A cancelled sleep means that another call has come.
      do { try await Task.sleep(for: linger) } catch { return }
      self.endIfIdle()
    }
  }

  private func endIfIdle() { if calls.isEmpty { end(nil) } }

  /// Ends a call that has not ended in time, and the process with it. One that waits for an answer to a question, as
  /// that of a slow server, is no fault of the plugin: its other calls continue.
  private func expire(_ number: Int, _ deadline: Duration) async {
    guard calls[number] != nil else { return }
    let error = PluginError.tooSlow(name, deadline)
    let waits = !questions.isEmpty
    finish(number, .failure(error))
    if waits, !calls.isEmpty { return }
    end(PluginError.ended(name, .ended))
    if !waits { await ended(error) }
  }

  /// Ends the process, and fails all calls with an error.
  private func end(_ error: LunaraError?) {
    process?.end()
    process = nil
    idle?.cancel()
    idle = nil
    for question in questions.values { question.cancel() }
    questions = [:]
    let failed = calls.keys
    for number in failed { finish(number, .failure(error ?? PluginError.ended(name, .ended))) }
  }
}

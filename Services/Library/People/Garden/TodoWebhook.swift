import FoundationEssentials
package import HTTP
import Messages
import Model
package import ServiceKit
package import Storage

/// The place where todos are sent: its address in the database, its token in the credential store.
package struct TodoWebhookSettings: Sendable {
  private struct Secret: Codable {
    var address: String
    var token: String
  }

  private static let name = "todo-webhook"

  let store: CredentialStore

  package init(store: CredentialStore) {
    self.store = store
  }

  /// Returns the token for an address; nil if there is none. A token is never sent to another address.
  func token(for address: String) throws -> String? {
    let secret = try store.read(Secret.self, Self.name)
    return secret?.address == address ? secret?.token : nil
  }

  /// Stores an address and its token. Throws `library.badWebhook`.
  func set(_ request: Library.SetTodoWebhook, _ database: Database) async throws {
    guard let address = request.address else {
      try store.remove(Self.name)
      try await database.write(.power) { transaction in
        try transaction.execute("DELETE FROM garden_webhook")
        try transaction.execute("UPDATE garden_todos SET delivery = 0, problem = NULL WHERE delivery IN (1, 3)")
      }
      return
    }
    guard Self.isUsable(address) else {
      throw LunaraError(
        "library.badWebhook", "\(GardenText.excerpt(address)) is no address of http or https without a user's name.")
    }
    if let token = request.token {
      guard token.utf8.count <= 4096, token.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
        throw LunaraError("library.badWebhook", "A token has printable ASCII characters only, and no blanks.")
      }
      if token.isEmpty {
        try store.remove(Self.name)
      } else {
        try store.write(Secret(address: address, token: token), Self.name)
      }
    }
    try await database.write(.power) { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO garden_webhook (one, address, problem) VALUES (1, ?, NULL)", address)
    }
  }

  /// Returns true for an address to which todos can be sent.
  static func isUsable(_ address: String) -> Bool {
    guard address.utf8.count <= 2000, address.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != 0x5C }),
      Origin(address) != nil
    else { return false }
    let authority = address.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !authority.isEmpty && !authority.contains("@")
  }

  /// Returns where todos are sent, and what waits.
  func read(_ database: Database) async throws -> Library.TodoWebhook {
    var webhook = try await database.read { transaction in
      try transaction.row(
        """
        SELECT address, problem, (SELECT count(*) FROM garden_todos WHERE delivery = 1),
          (SELECT count(*) FROM garden_todos WHERE delivery = 3) FROM garden_webhook
        """
      ) { row in
        let problem: String? = try row.value(1)
        return Library.TodoWebhook(
          address: try row.value(0), waiting: try row.value(2), failed: try row.value(3),
          problem: try problem.map { try MessageCoding.decode(LunaraError.self, from: $0.utf8) })
      } ?? Library.TodoWebhook()
    }
    if let address = webhook.address { webhook.hasToken = try token(for: address) != nil }
    return webhook
  }
}

/// Sends todos to the webhook, one after another, each until it is accepted or refused.
package struct TodoSender: Sendable {
  /// The body of a request.
  private struct Body: Encodable {
    var artist: String
    var album: String
    var id: PlayableID
    var text: String
    var about: String
    var track: String?
  }

  private struct Waiting: Sendable {
    var todo: Int64
    var body: [UInt8]
    var address: String
  }

  /// The meaning of an answer. The problem of a todo that still waits is one of all todos.
  private struct Outcome {
    var delivery: TodoStore.Delivery
    var problem: LunaraError?
    var rest = WorkLoop.Rest.none
  }

  private let database: Database
  private let settings: TodoWebhookSettings
  private let log: Log
  private let send: @Sendable (HTTPRequest) async throws -> HTTPResponse
  private let loop: WorkLoop

  package init(
    database: Database, settings: TodoWebhookSettings, log: Log,
    send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.database = database
    self.settings = settings
    self.log = log
    self.send = send
    loop = WorkLoop(RetryPolicy(first: .seconds(30), longest: .seconds(3600)), sleep: sleep)
  }

  package func start() async {
    await loop.start(failed: { log.warning($0.error) }) { try await sendNext() }
  }

  /// Sends what waits, at once even if a pause is being made.
  func wake() async { await loop.wake() }

  package func stop() async { await loop.stop() }

  private func sendNext() async throws -> WorkLoop.Rest {
    guard let next = try await next() else { return .untilWoken }
    let outcome = try await deliver(next)
    try await record(next, outcome)
    return outcome.rest
  }

  private func next() async throws -> Waiting? {
    try await database.read { transaction in
      try transaction.row(
        """
        SELECT d.id, w.address, s.kind, s.artist, s.title, s.album, s.reference, d.text, d.about, d.evidence
        FROM garden_todos d JOIN subjects s ON s.id = d.subject CROSS JOIN garden_webhook w
        WHERE d.delivery = 1 ORDER BY d.id LIMIT 1
        """
      ) { row in
        let kind = GardenSubjects.kind(of: try row.value(2))
        let title: String = try row.value(4)
        let text: String = try row.value(7)
        let about: String = try row.value(8)
        let album: String? = kind == .track ? try row.value(5) : title
        let body = Body(
          artist: try row.value(3), album: kind == .artist ? "" : album ?? "", id: try row.value(6),
          text: text.isEmpty ? try row.value(9) as String? ?? about : text, about: about,
          track: kind == .track ? title : nil)
        return Waiting(todo: try row.value(0), body: try MessageCoding.encode(body), address: try row.value(1))
      }
    }
  }

  private func deliver(_ waiting: Waiting) async throws -> Outcome {
    // If the answer is lost, the todo may have arrived. The receiver recognises it by this key.
    let key = "\(waiting.todo)-\(String(FNV1a.hash(waiting.body), radix: 36))"
    var headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)]
    if let token = try settings.token(for: waiting.address) { headers.append(("Authorization", "Bearer \(token)")) }
    let answer: HTTPResponse
    do {
      answer = try await send(
        HTTPRequest(
          .changes, method: "POST", url: waiting.address, headers: headers, body: waiting.body, responseLimit: 64 << 10,
          redirectLimit: 0))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return Outcome(
        delivery: .waiting,
        problem: LunaraError(
          "library.webhookAway", "The place where todos are sent does not answer. The library tries again by itself.",
          cause: LunaraError(error).message), rest: .retry)
    }
    switch answer.status {
    case 200..<300: return Outcome(delivery: .sent)
    case 401, 403:
      // No todo is accepted until a person does something.
      return Outcome(
        delivery: .waiting,
        problem: LunaraError(
          "library.webhookSignedOut",
          "The place where todos are sent does not accept the token. Set it again: `lunara todos webhook ADDRESS`.",
          cause: "\(answer.status)"), rest: .untilWoken)
    case 408, 425, 429, 500..<600:
      return Outcome(
        delivery: .waiting,
        problem: LunaraError(
          "library.webhookAway",
          "The place where todos are sent answered \(answer.status). The library tries again by itself."), rest: .retry)
    default:
      // The next todo may be accepted.
      return Outcome(
        delivery: .failed,
        problem: LunaraError(
          "library.webhookRefused",
          "The place where todos are sent refused this one. Change it, or send it again: `lunara todos retry`.",
          cause: "\(answer.status): \(GardenText.excerpt(String(decoding: answer.body.prefix(500), as: UTF8.self)))"))
    }
  }

  private func record(_ waiting: Waiting, _ outcome: Outcome) async throws {
    let problem = try outcome.problem.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }
    try await database.write(.power) { transaction in
      try transaction.execute(
        "UPDATE garden_todos SET delivery = ?, problem = ? WHERE id = ? AND delivery = 1", outcome.delivery, problem,
        waiting.todo)
      try transaction.execute("UPDATE garden_webhook SET problem = ?", outcome.delivery == .waiting ? problem : nil)
    }
  }
}

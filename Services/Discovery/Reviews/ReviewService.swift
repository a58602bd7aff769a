import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Text

/// Requests reviews of albums from a language model, one at a time and only those that a person asks for.
actor ReviewService {
  /// Reads an album with its tracks from the library; tests use a fake.
  typealias ReadAlbum = @Sendable (AlbumID) async throws -> Library.AlbumPage

  /// The key of an endpoint as it is stored among the household's secrets, with the server that it may be sent to.
  private struct StoredKey: Codable {
    var key: String
    var server: String
  }

  private static let credential = "reviews"
  private static let sends =
    "For each review that you ask for, the endpoint gets artist, title, year, genres and record label of the album."
  /// The most albums of which the last problem is remembered.
  private static let mostProblems = 200

  private let store: ReviewStore
  private let credentials: CredentialStore
  private let http: HTTPClient
  private let log: Log
  private let deadline: Duration
  private let now: @Sendable () -> Timestamp
  private let readAlbum: ReadAlbum
  /// The albums whose reviews wait for their turn, in the order in which they were asked for.
  private var waiting: [ReviewStore.Subject] = []
  private var current: ReviewStore.Subject?
  private var work: Task<Void, Never>?
  /// The errors of the last attempts, by the keys of the albums. They are forgotten with the process.
  private var problems: [String: LunaraError] = [:]

  /// - Parameter deadline: the time that the endpoint may take for one answer.
  init(
    store: ReviewStore, credentials: CredentialStore, http: HTTPClient, log: Log, deadline: Duration = .seconds(120),
    now: @escaping @Sendable () -> Timestamp = { .now() }, readAlbum: @escaping ReadAlbum
  ) {
    self.store = store
    self.credentials = credentials
    self.http = http
    self.log = log
    self.deadline = deadline
    self.now = now
    self.readAlbum = readAlbum
  }

  /// Answers the requests about reviews on a node.
  func serve(on node: Node) async {
    await node.serve(Discovery.ReadReview.self) { request, _ in try await self.read(request) }
    await node.serve(Discovery.MakeReview.self) { request, _ in try await self.make(request) }
    await node.serve(Discovery.ReadReviewSettings.self) { _, _ in try await self.settings() }
    await node.serve(Discovery.SetReviews.self) { request, _ in try await self.set(request) }
  }

  /// Breaks off what is being written; nothing of it is kept.
  func stop() async {
    waiting = []
    work?.cancel()
    await work?.value
  }

  // MARK: - Reviews

  func read(_ request: Discovery.ReadReview) async throws -> Discovery.ReviewStatus {
    try await status(of: try await store.subject(request.album))
  }

  /// - Throws: `discovery.reviewsOff`, `discovery.reviewCap`, and the errors of `ReviewStore.subject`.
  func make(_ request: Discovery.MakeReview) async throws -> Discovery.ReviewStatus {
    let subject = try await store.subject(request.album)
    let settings = try await store.settings()
    guard settings.endpoint != nil else { throw Self.off }
    let isKept = try await store.review(of: subject) != nil
    let today = try await store.requests(at: now())
    // From here to the end of the branch nothing is awaited, so that an album is in the list once.
    if !isMaking(subject), !isKept || request.isAgain == true {
      guard today + waiting.count < settings.dailyCap else { throw Self.capReached(settings.dailyCap) }
      problems[subject.key] = nil
      waiting.append(subject)
      if work == nil { work = Task { await self.writeAll() } }
    }
    return try await status(of: subject)
  }

  private func status(of subject: ReviewStore.Subject) async throws -> Discovery.ReviewStatus {
    let isOn = try await store.settings().endpoint != nil
    // The list is looked at before the review is read: what is no longer in it is stored.
    let isBeingMade = isMaking(subject)
    let problem = problems[subject.key]
    return Discovery.ReviewStatus(
      album: subject.album, review: try await store.review(of: subject), isBeingMade: isBeingMade,
      problem: isBeingMade ? nil : problem, isOn: isOn)
  }

  private func isMaking(_ subject: ReviewStore.Subject) -> Bool {
    current?.key == subject.key || waiting.contains { $0.key == subject.key }
  }

  /// Writes the reviews that wait, one after another.
  private func writeAll() async {
    while !Task.isCancelled, !waiting.isEmpty {
      let subject = waiting.removeFirst()
      current = subject
      do {
        try await store.store(try await write(subject), of: subject)
      } catch is CancellationError {
        // Reviews were switched off, or the service ends.
      } catch {
        let error = LunaraError(error)
        log.warning(error)
        if problems.count >= Self.mostProblems { problems = [:] }
        problems[subject.key] = error
      }
      current = nil
    }
    work = waiting.isEmpty ? nil : Task { await self.writeAll() }
  }

  // MARK: - Writing one

  /// Asks the model, and once more with a shorter prompt if its answer was cut or could not be read.
  private func write(_ subject: ReviewStore.Subject) async throws -> Discovery.Review {
    let settings = try await store.settings()
    guard let address = settings.endpoint, let model = settings.model else { throw Self.off }
    let page = try await readAlbum(subject.album)
    let told = try ReviewSubject(page)
    let server = try ModelAddress(address)
    let endpoint = ModelEndpoint(
      http: http, address: server, model: model, key: try key(for: server), deadline: deadline)
    var reason = ""
    for attempt in 0...1 {
      guard try await store.countRequest(at: now(), most: settings.dailyCap) else {
        throw attempt == 0 ? Self.capReached(settings.dailyCap) : unclear(model, reason)
      }
      let answer = try await endpoint.complete(try ReviewPrompt.messages(for: told, isShort: attempt > 0))
      do {
        // A cut answer may be whole JSON by chance, but it is not what the model wanted to say.
        guard !answer.isCut else { throw ReviewAnswer.Failure.unreadable("it was cut off") }
        let review = try ReviewAnswer(
          answer.text, hasSearched: answer.hasSearched, tracks: page.next == nil ? page.tracks.map(\.title) : [])
        return Discovery.Review(
          summary: review.summary, points: review.points, tenths: review.tenths, label: review.label,
          tier: review.tier, keyTracks: review.keyTracks, model: model, writtenAt: now())
      } catch ReviewAnswer.Failure.unknownAlbum {
        throw LunaraError(
          "discovery.modelUnaware",
          "\(model) says that it does not know this album, so there is no review. Another model may know it.")
      } catch ReviewAnswer.Failure.unreadable(let words) {
        reason = words
      }
    }
    throw unclear(model, reason)
  }

  private func unclear(_ model: String, _ reason: String) -> LunaraError {
    LunaraError(
      "discovery.modelUnclear",
      "The answer of \(model) could not be read as a review, also not at a second attempt. Try again, or another model.",
      cause: reason)
  }

  private static let off = LunaraError(
    "discovery.reviewsOff",
    "Reviews are off. `lunara review settings --endpoint URL --model NAME` names a language model that writes them.")

  private static func capReached(_ cap: Int) -> LunaraError {
    LunaraError(
      "discovery.reviewCap",
      "\(cap) requests were made today, and no more are allowed. Wait for tomorrow, or raise it: `lunara review settings --cap N`."
    )
  }
}

// MARK: - Settings

extension ReviewService {
  func settings() async throws -> Discovery.ReviewSettings {
    let settings = try await store.settings()
    let address = try settings.endpoint.map { try ModelAddress($0) }
    return Discovery.ReviewSettings(
      endpoint: settings.endpoint, model: settings.endpoint == nil ? nil : settings.model,
      hasKey: try address.flatMap { try key(for: $0) } != nil, dailyCap: settings.dailyCap,
      today: try await store.requests(at: now()), kept: try await store.count(), sends: Self.sends)
  }

  /// - Throws: `discovery.badEndpoint`, `settings.credentials…`.
  func set(_ request: Discovery.SetReviews) async throws -> Discovery.ReviewSettings {
    var settings = try await store.settings()
    if let cap = request.dailyCap {
      guard (1...1000).contains(cap) else { throw Self.bad("The daily cap is a number from 1 to 1000, not \(cap).") }
      settings.dailyCap = cap
    }
    guard let typed = request.endpoint else {
      settings.endpoint = nil
      try await store.set(settings)
      try credentials.remove(Self.credential)
      await stop()
      return try await self.settings()
    }
    let address = try ModelAddress(typed)
    guard let model = request.model?.trimmed ?? settings.model, !model.isEmpty, model.utf8.count <= 200,
      !model.unicodeScalars.contains(where: \.isUnsafe)
    else { throw Self.bad("The name of the model is missing or malformed, such as gpt-oss:20b has it.") }
    if let key = request.key {
      guard key.utf8.count <= 4096, key.utf8.allSatisfy({ (33...126).contains($0) }) else {
        throw Self.bad("The key has blanks, or letters that no key has. Give it alone, on one line.")
      }
      if key.isEmpty {
        try credentials.remove(Self.credential)
      } else {
        try credentials.write(StoredKey(key: key, server: address.serverText), Self.credential)
      }
    }
    settings.endpoint = address.text
    settings.model = model
    try await store.set(settings)
    return try await self.settings()
  }

  /// Returns the key for an endpoint; nil if there is none, or if it was given for another server.
  private func key(for address: ModelAddress) throws -> String? {
    guard let stored = try credentials.read(StoredKey.self, Self.credential) else { return nil }
    return stored.server == address.serverText ? stored.key : nil
  }

  private static func bad(_ message: String) -> LunaraError { LunaraError("discovery.badEndpoint", message) }
}

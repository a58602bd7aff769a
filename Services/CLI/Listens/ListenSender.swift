import Bus
import Client
import Messages
import Model

/// Sends listens to the library in parts, one part while the next one is read.
struct ListenSender {
  /// The largest size of a part, in bytes of text: half the limit of a message, because some letters take two bytes.
  private static let largestPart = 100_000
  private static let mostListens = 500
  /// The most listens of a request to the scrobbler.
  private static let mostScrobbles = 100

  private let client: Client
  private let scrobbles: Bool
  private let name: String
  private var part: [Scrobble.ImportedListen] = []
  private var size = 0
  private var pending: Task<Scrobble.Imported, any Error>?
  private(set) var total = Scrobble.Imported(added: 0, known: 0)

  /// - Parameter scrobbles: true to send the listens to the accounts that are on, too.
  init(_ client: Client, scrobbles: Bool) {
    self.client = client
    self.scrobbles = scrobbles
    name = "\(ListenID.random())"
  }

  mutating func add(_ listen: Scrobble.ImportedListen) async throws {
    part.append(listen)
    let texts = [listen.title, listen.artist, listen.album, listen.albumArtist, listen.listen?.rawValue]
    size += texts.reduce(240) { $0 + ($1?.utf8.count ?? 0) }
    if part.count == Self.mostListens || size > Self.largestPart { try await send(isLast: false) }
  }

  /// Sends the remaining listens, and ends the import.
  mutating func finish() async throws {
    try await send(isLast: true)
    try await collect()
  }

  private mutating func collect() async throws {
    guard let answer = try await pending?.value else { return }
    pending = nil
    total.added += answer.added
    total.known += answer.known
  }

  private mutating func send(isLast: Bool) async throws {
    try await collect()
    let (client, scrobbles, listens) = (client, scrobbles, part)
    let request = Library.ImportListens(name: name, listens: listens, isLast: isLast)
    part = []
    size = 0
    pending = Task {
      let answer = try await client.ask(request, of: .library)
      guard scrobbles else { return answer }
      for start in stride(from: 0, to: listens.count, by: Self.mostScrobbles) {
        let some = Array(listens[start..<min(start + Self.mostScrobbles, listens.count)])
        _ = try await client.ask(Scrobble.ImportListens(listens: some, sends: true), of: .scrobble)
      }
      return answer
    }
  }
}

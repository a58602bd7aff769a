import HTTP
import Messages
import Model
import Sync

/// Calls and their errors.
extension ListenBrainzProvider {
  /// The largest answer that is read, in bytes.
  static let answerLimit = 8 * 1024 * 1024
  /// The largest list that is read, in bytes: each of its tracks comes with its artists and the addresses of its
  /// pictures.
  static let listLimit = 32 * 1024 * 1024

  static func path(of list: String) -> String { "/1/playlist/\(PercentCoding.encode(list))" }

  /// Returns a MusicBrainz id in small letters; nil for other text.
  static func id(_ text: String) -> String? {
    RecordingCodes.recordingID(text)
  }

  /// Reads an object.
  func get(_ path: String, limit: Int = answerLimit) async throws -> JSONView {
    // A redirection would send the token to another server.
    let response = try await caller.send(
      HTTPRequest(.reads, url: address + path, responseLimit: limit, redirectLimit: 0))
    guard let view = JSONView(response.body), view.isObject else { throw Self.notUnderstood(caller.title) }
    return view
  }

  /// Makes a change. An answer that does not confirm it, such as the page of a proxy, leaves open if it was made.
  @discardableResult
  func post(_ path: String, _ body: some Encodable) async throws -> JSONView {
    let request = HTTPRequest(
      .changes, method: "POST", url: address + path, headers: [("Content-Type", "application/json")],
      body: try MessageCoding.encode(body), responseLimit: Self.answerLimit, redirectLimit: 0)
    let response = try await caller.send(request)
    guard let view = JSONView(response.body), view["status"]?.string == "ok" else { throw unclear() }
    return view
  }

  static func notUnderstood(_ title: String) -> LunaraError { ProviderError.unreadable(title) }

  func unclear() -> LunaraError { ProviderError.unclear(caller.title, "Its answer is not understood.") }

  func refused() -> LunaraError {
    LunaraError(
      "library.providerRefused",
      "\(caller.title) has no call for a change of a list. It is left out; what it meant stays here.")
  }

  /// A playlist to be made, edited, or whose tracks are added to another one (musicbrainz.org/doc/jspf).
  struct JSPFBody: Encodable {
    struct Playlist: Encodable {
      var title: String
      var annotation: String?
      var track: [Entry]?
      var `extension`: Extensions?
    }

    struct Entry: Encodable {
      var identifier: String
    }

    struct Extensions: Encodable {
      enum CodingKeys: String, CodingKey { case options = "https://musicbrainz.org/doc/jspf#playlist" }
      var options: Options
    }

    /// The options that only MusicBrainz' extension has; what is nil stays as it is.
    struct Options: Encodable {
      enum CodingKeys: String, CodingKey {
        case isPublic = "public"
        case collaborators
      }
      var isPublic: Bool?
      var collaborators: [String]?
    }

    var playlist: Playlist

    init(title: String, annotation: String? = nil, recordings: [String]? = nil, options: Options? = nil) {
      playlist = Playlist(
        title: title, annotation: annotation,
        track: recordings?.map { Entry(identifier: ListenBrainzProvider.recordingPrefix + $0) },
        extension: options.map { Extensions(options: $0) })
    }
  }

  struct EmptyBody: Encodable {}

  struct DeleteBody: Encodable {
    var index: Int
    var count: Int
  }

  /// The move of one track. The new position is counted without the track.
  struct MoveBody: Encodable {
    var mbid: String
    var from: Int
    var to: Int
    var count = 1
  }

  struct ScoreBody: Encodable {
    var recording_mbid: String
    var score: Int
  }
}

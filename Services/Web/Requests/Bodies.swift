import FoundationEssentials
import Messages
import Model

/// The body of `POST /api/v1/play`.
struct PlayBody: Decodable {
  var ids: [PlayableID]
  var room: RoomName?
  var mode: Mode?
  var startAt: Int?
  var shuffle: Bool?

  /// Where the items go. Its own type, as a word that is not understood must be refused.
  enum Mode: String, Decodable {
    case now, next, later
  }

  /// The intent.
  ///
  /// - Parameter seed: draws the seed of a shuffled order.
  /// - Throws: `web.badBody`.
  func intent(seed: () -> UInt64) throws -> Router.Play {
    guard !ids.isEmpty else { throw LunaraError("web.badBody", "Name at least one album or track in ids.") }
    guard ids.count <= 500 else { throw LunaraError("web.badBody", "ids may hold at most 500.") }
    guard startAt ?? 0 >= 0 else { throw LunaraError("web.badBody", "startAt counts from 0.") }
    let mode: Playback.LoadMode =
      switch self.mode ?? .now {
      case .now: .now
      case .next: .next
      case .later: .later
      }
    let shuffle = shuffle ?? false
    return Router.Play(
      ids: ids, room: room, mode: mode, startAt: startAt ?? 0, shuffle: shuffle, seed: shuffle ? seed() : nil)
  }
}

/// The body of `POST /api/v1/rooms/{room}/transport`.
struct TransportBody: Decodable {
  var action: String
  var seconds: Double?
  var percent: Int?
  var index: Int?

  /// The command.
  ///
  /// - Throws: `web.badBody` for an action that does not exist or lacks its value.
  func command() throws -> Playback.Transport.Action {
    switch action {
    case "resume": return .resume
    case "pause": return .pause
    case "toggle": return .toggle
    case "next": return .next
    case "previous": return .previous
    case "stop": return .stop
    case "seek":
      guard let seconds, (0...1e7).contains(seconds) else { throw needs("seconds from 0") }
      return .seek(to: Milliseconds(seconds: seconds))
    case "skip":
      guard let seconds, (-1e7...1e7).contains(seconds) else { throw needs("seconds, before or after now") }
      return .skip(by: Milliseconds(seconds: seconds))
    case "volume":
      guard let percent, (0...100).contains(percent) else { throw needs("percent from 0 to 100") }
      return .volume(percent)
    case "jump":
      guard let index, index >= 0 else { throw needs("index from 0") }
      return .jump(to: index)
    default:
      throw LunaraError(
        "web.badBody",
        "There is no action \(action). There are resume, pause, toggle, next, previous, stop, seek, skip, volume, jump."
      )
    }
  }

  private func needs(_ what: String) -> LunaraError { LunaraError("web.badBody", "\(action) needs \(what).") }
}

extension Decodable {
  /// Reads a body.
  ///
  /// - Throws: `web.badBody`, with what was missing or wrong as the cause.
  static func read(_ body: [UInt8]) throws -> Self {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(body))
    } catch {
      throw LunaraError(
        "web.badBody", "The body is not the JSON that is expected here.", cause: String(describing: error))
    }
  }
}

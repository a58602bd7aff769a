import Messages
import Model

/// The body of `PUT /api/v1/ratings/{id}`.
struct RatingBody: Decodable {
  private var stars: Given<Double>

  /// The rating; nil where it is taken back. Throws `web.badBody`.
  var rating: Rating? {
    get throws {
      guard case .value(let stars) = stars else {
        if case .null = stars { return nil }
        throw LunaraError("web.badBody", "Say with stars how many, from 0 to 5 in halves, or null.")
      }
      guard let rating = Rating(stars: stars) else {
        throw LunaraError("web.badBody", "stars is \(stars). It must be from 0 to 5 in halves.")
      }
      return rating
    }
  }
}

/// The body of `PATCH /api/v1/rooms/{room}`.
struct RoomBody: Decodable {
  private var title: Given<String>

  /// What the room is asked.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Playback.SetTitle {
    switch title {
    case .missing: throw LunaraError("web.badBody", "Say with title what the room is called, or null for its name.")
    case .null: return Playback.SetTitle(title: nil)
    case .value(let title): return Playback.SetTitle(title: title)
    }
  }
}

/// The body of `PATCH /api/v1/rooms/{room}/output`.
struct OutputBody: Decodable {
  private var device: String?
  private var levels: Strict<Playback.Levelling>?
  private var preamp: Double?
  private var startVolume: Given<Int>
  private var maxVolume: Int?
  private var resumesAfterCrash: Bool?

  /// The change.
  ///
  /// - Throws: `web.badBody`.
  func change() throws -> Playback.SetOutput {
    var change = Playback.SetOutput(
      device: device, levelling: levels?.value, preamp: preamp, maximumVolume: maxVolume,
      resumesAfterCrash: resumesAfterCrash)
    guard (-15...15).contains(preamp ?? 0) else { throw LunaraError("web.badBody", "preamp goes from -15 to 15 dB.") }
    guard (1...100).contains(maxVolume ?? 1) else { throw LunaraError("web.badBody", "maxVolume goes from 1 to 100.") }
    switch startVolume {
    case .missing: break
    case .null: change.startVolume = -1
    case .value(let percent):
      guard (0...100).contains(percent) else {
        throw LunaraError("web.badBody", "startVolume goes from 0 to 100, or is null for the last one.")
      }
      change.startVolume = percent
    }
    return change
  }
}

/// The body of `POST /api/v1/sources`.
struct SourceBody: Decodable {
  private var type: String
  private var address: String
  private var user: String?
  private var secret: String?
  private var exposesPassword: Bool?
  private var forwardsPlays: Bool?

  /// What the library is asked.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Library.AddSource {
    guard ["files", "plex", "subsonic"].contains(type) else {
      throw LunaraError("web.badBody", "type must be files, plex or subsonic.")
    }
    guard !address.isEmpty else { throw LunaraError("web.badBody", "address is empty.") }
    return Library.AddSource(
      type: type, address: address, user: user, secret: secret, exposesPassword: exposesPassword,
      forwardsPlays: forwardsPlays)
  }
}

/// The body of `POST /api/v1/scrobbles/retry` and `…/drop`.
struct ListenBody: Decodable {
  var listen: ListenID?
}

/// The body of `POST /api/v1/scrobbles/accounts`.
struct AccountBody: Decodable {
  private var service: String
  private var secret: String
  private var address: String?
  private var user: String?

  /// What the scrobbler is asked.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Scrobble.AddAccount {
    guard !secret.isEmpty else { throw LunaraError("web.badBody", "secret is empty.") }
    return Scrobble.AddAccount(service: service, address: address, user: user, secret: secret)
  }
}

/// The body of `PUT /api/v1/scrobbles/private`.
struct PrivateBody: Decodable {
  private var seconds: Given<Double>

  /// How long; nil ends it.
  ///
  /// - Throws: `web.badBody`.
  func duration() throws -> Milliseconds? {
    guard case .value(let seconds) = seconds else {
      if case .null = seconds { return nil }
      throw LunaraError("web.badBody", "Say with seconds how long, or null to end it.")
    }
    guard (1...31_536_000).contains(seconds) else {
      throw LunaraError("web.badBody", "seconds goes from 1 to 31536000, which is a year.")
    }
    return Milliseconds(seconds: seconds)
  }
}

/// The body of `POST /api/v1/scrobbles/import`.
struct ImportBody: Decodable {
  private var listens: [Listen]
  private var send: Bool?

  private struct Listen: Decodable {
    var listen: ListenID?
    var startedAt: Timestamp
    var title: String
    var artist: String
    var album: String?
    var albumArtist: String?
    var number: Int?
    var durationSeconds: Double?
    var recordingID: String?
    var releaseID: String?
  }

  /// What the scrobbler is asked.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Scrobble.ImportListens {
    guard listens.count <= 100 else { throw LunaraError("web.badBody", "listens may hold at most 100.") }
    guard listens.allSatisfy({ (0...1e7).contains($0.durationSeconds ?? 0) }) else {
      throw LunaraError("web.badBody", "durationSeconds goes from 0 to 10000000.")
    }
    return Scrobble.ImportListens(
      listens: listens.map { listen in
        Scrobble.ImportedListen(
          listen: listen.listen, startedAt: listen.startedAt, title: listen.title, artist: listen.artist,
          album: listen.album, albumArtist: listen.albumArtist, number: listen.number,
          duration: listen.durationSeconds.map { Milliseconds(seconds: $0) }, recordingID: listen.recordingID,
          releaseID: listen.releaseID)
      }, sends: send ?? false)
  }
}

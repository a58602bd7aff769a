import Messages
import Model

extension Shape {
  /// A source: its status, and what is set for it.
  struct Source: Encodable {
    private struct Settings: Encodable {
      var account: String?
      var isFromSettings: Bool
      var sections: [Library.SourceDetail.Section]
    }
    private let joined: Joined<Library.SourceStatus, Settings>

    init(_ detail: Library.SourceDetail) {
      joined = Joined(
        first: detail.status,
        second: Settings(
          account: detail.account, isFromSettings: detail.isFromSettings, sections: detail.sections))
    }

    func encode(to encoder: any Encoder) throws { try joined.encode(to: encoder) }
  }

  /// A sign-in that was begun.
  struct SignIn: Encodable {
    var id: String
    var service: String
    var code: String?
    var page: String?
    var link: String
    var expiresAt: Timestamp

    init(_ signIn: Library.SignIn, at service: String) {
      id = signIn.id
      self.service = service
      code = signIn.code
      page = signIn.page
      link = signIn.link
      expiresAt = signIn.expiresAt
    }

    init(_ signIn: Scrobble.SignIn, at service: String) {
      id = signIn.id
      self.service = service
      link = signIn.link
      expiresAt = signIn.expiresAt
    }
  }

  /// How a sign-in stands.
  struct SignInState: Encodable {
    var state: String
    var account: String?
    var link: String?
    var sources: [String]
    var error: LunaraError?

    init(_ state: Library.SignInState) {
      self.state = state.state
      account = state.account
      sources = state.sources
      error = state.error
    }

    init(_ state: Scrobble.SignInState) {
      self.state = state.state
      account = state.account
      link = state.link
      sources = []
      error = state.error
    }
  }

  /// Where a room's sound goes.
  struct Output: Encodable {
    var room: RoomName
    var devices: [Playback.OutputDevice]
    @Nullable var chosen: String?
    @Nullable var used: String?
    var levels: String
    var preamp: Double
    @Nullable var startVolume: Int?
    var maxVolume: Int
    var resumesAfterCrash: Bool

    init(_ state: Playback.OutputState, of room: RoomName) {
      self.room = room
      devices = state.devices
      chosen = state.chosen
      used = state.used
      levels = state.levelling.rawValue
      preamp = state.preamp
      startVolume = state.startVolume
      maxVolume = state.maximumVolume
      resumesAfterCrash = state.resumesAfterCrash
    }
  }

  /// How the household stands.
  struct Status: Encodable {
    var nodes: [Node]
    var rooms: [Room]
    @Nullable var catalogue: Catalogue?
    @Nullable var scrobbles: Outbox?
  }
}

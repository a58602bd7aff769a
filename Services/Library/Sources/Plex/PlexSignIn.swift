import Messages
import Model

/// A sign-in that waits for a person: two codes, of which either will do. Pure.
struct PlexSignIn: Sendable {
  let id: String
  /// What the person is told.
  let told: Library.SignIn
  /// The codes that are still good.
  private(set) var open: [PlexCloud.Pin]
  /// The account's token, once the person has confirmed one.
  private(set) var token: String?
  var state = Library.SignInState(state: "waiting")

  init(short: PlexCloud.Pin, strong: PlexCloud.Pin, identifier: String, now: Timestamp) {
    id = UniqueID<PlexSignIn>.random().rawValue
    open = [short, strong]
    let link =
      "https://app.plex.tv/auth#?clientID=\(PlexQuery.encoded(identifier))&code=\(PlexQuery.encoded(strong.code))"
      + "&context%5Bdevice%5D%5Bproduct%5D=Lunara"
    let end = Timestamp(seconds: now.seconds + Int64(max(0, min(short.lifetime, strong.lifetime))))
    told = Library.SignIn(id: id, code: short.code, page: "https://plex.tv/link", link: link, expiresAt: end)
  }

  /// Whether it has come to an end, good or bad.
  var isOver: Bool { state.state != "waiting" }

  /// Takes in how one of the codes stands.
  mutating func take(_ answer: PlexCloud.PinState, of pin: PlexCloud.Pin) {
    switch answer {
    case .waiting: break
    case .confirmed(let token): self.token = token
    case .expired:
      open.removeAll { $0 == pin }
      // With the one that was shown to be typed gone, nobody is waiting for the other.
      if open.isEmpty || pin.code == told.code { state = Library.SignInState(state: "expired") }
    }
  }
}

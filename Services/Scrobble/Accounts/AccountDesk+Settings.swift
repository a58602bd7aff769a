import Messages
import Model
import ServiceKit
import Storage

/// The account that variables set.
extension AccountDesk {
  /// What it is called until its service has said whose token it is.
  private static let unnamed = "settings"

  /// Sets up the account of `LUNARA_LISTENBRAINZ_TOKEN`, at once: what is heard before its service answers is for it, too.
  /// Where the token is gone, the account is signed out.
  func takeSettings() async throws {
    let rows = try await needs.database.read(Accounts.all)
    let known = rows.first { $0.isFromSettings }
    guard needs.listenBrainzToken != nil else {
      guard let known else { return }
      return try await needs.database.write {
        try $0.execute(
          "UPDATE accounts SET is_on = 0, pause = ? WHERE id = ?", Pause.signedOut.rawValue, known.id)
      }
    }
    let address = try ServiceAddress(needs.addresses[.listenbrainz], of: .listenbrainz)
    if let known {
      // One that a person switched off stays so; a new start is a new try.
      try await needs.database.write {
        try $0.execute(
          """
          UPDATE accounts SET is_on = CASE WHEN pause IS NULL THEN is_on ELSE 1 END, pause = NULL, address = ?
          WHERE id = ?
          """, address.text, known.id)
      }
    } else {
      _ = try await needs.database.write {
        try Accounts.signIn(address, name: Self.unnamed, isFromSettings: true, $0)
      }
    }
    guard known == nil || known?.name == Self.unnamed else { return }
    naming = Task { await findName(address) }
  }

  /// Asks whose token it is until it is known.
  private func findName(_ address: ServiceAddress) async {
    guard let token = needs.listenBrainzToken else { return }
    var tries = 0
    while !Task.isCancelled {
      do {
        let name = address.accountName(of: try await listenBrainzUser(Secret(token), at: address))
        // Where somebody signed in under this name already, the other name stays.
        try await needs.database.write {
          try $0.execute(
            "UPDATE OR IGNORE accounts SET name = ? WHERE is_from_settings AND name = ?", name, Self.unnamed)
        }
        return changed()
      } catch let error as LunaraError where error.code == "scrobble.badSignIn" {
        // The first scrobble is refused for the same reason, and says so.
        return needs.log.warning(error)
      } catch {
        tries += 1
        do { try await pause(.backoff(after: tries)) } catch { return }
      }
    }
  }
}

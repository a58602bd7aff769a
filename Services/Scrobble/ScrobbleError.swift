import Messages
import Model

/// The errors of the scrobbler. None contains a token, a key, or an address with a secret.
enum ScrobbleError {
  static let noKey = LunaraError(
    "scrobble.noKey",
    "Last.fm requires an API key of your own. Create one at https://www.last.fm/api/account/create and set LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET."
  )

  static let badAddress = LunaraError(
    "scrobble.badAddress",
    "The address is not valid. Give a server's base address that begins with https:// or http://, without a user, a token or a question mark."
  )

  static func badSignIn(_ host: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.badSignIn", "\(host) refuses this sign-in. Check the user, the password or the token.", cause: cause)
  }

  static func away(_ host: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.serviceAway", "\(host) does not answer now. Check its address, or try again later.", cause: cause)
  }

  /// The server redirects to another one, which the error names.
  static func redirected(_ error: LunaraError) -> LunaraError {
    LunaraError("scrobble.serviceAway", error.message, cause: error.cause)
  }

  static func waits(_ service: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.serviceAway",
      "\(service) accepts nothing now. Listens are kept and sent later; `lunara scrobbles retry` tries at once.",
      cause: cause)
  }

  static func refused(_ host: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.refused", "\(host) refuses this program. Check LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET.",
      cause: cause)
  }

  static func accountRefused(_ service: String, _ account: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.refused",
      "\(service) refuses everything that is sent for \(account). Listens are kept; see the cause, then run `lunara scrobbles retry`.",
      cause: cause)
  }

  /// Returns the error for an account that must sign in again. `address` is the server's if that is not the service's
  /// own; `setting` is the name of the setting with the token, if there is one.
  static func signedOut(
    _ service: String, _ account: String, address: String?, setting: String?, cause: String?
  ) -> LunaraError {
    let remedy =
      setting.map { "Set \($0) to a valid token and start Lunara again" }
      ?? "Sign in again with `lunara login \(service)\(address.map { " --url \($0)" } ?? "")`"
    return LunaraError(
      "scrobble.signedOut",
      "\(service) no longer accepts the sign-in of \(account). \(remedy); listens are kept until then.", cause: cause)
  }

  static let unknownSignIn = LunaraError(
    "scrobble.unknownSignIn", "This sign-in is over or does not exist. Start again with `lunara login`.")

  static func unknownAccount(_ service: String?, _ account: String?) -> LunaraError {
    let name = [service, account].compactMap { $0 }.joined(separator: "/")
    let logins = ScrobbleServices.kinds.map { "`lunara login \($0.descriptor.kind)`" }.joined(separator: " or ")
    return LunaraError(
      "scrobble.unknownAccount",
      name.isEmpty
        ? "No account is set up. Add one with \(logins)."
        : "There is no account \(name). `lunara scrobbles accounts` lists the accounts.")
  }

  static func unknownService(_ service: String) -> LunaraError {
    LunaraError(
      "scrobble.unknownService",
      "There is no scrobble service “\(service.prefix(40))”. Those that can be read are listenbrainz and lastfm.")
  }

  static func noAccount(_ service: String) -> LunaraError {
    LunaraError(
      "scrobble.noAccount",
      service == "lastfm"
        ? "Last.fm is read with an account or an API key. Sign in with `lunara login lastfm`, or set LUNARA_LASTFM_KEY."
        : "\(service) is read with an account. Sign in with `lunara login \(service)`.")
  }

  static func notReadable(_ path: String) -> LunaraError {
    LunaraError(
      "scrobble.notReadable",
      "“\(path.prefix(80))” is not among what other services of the household may read from a scrobble service.")
  }

  static func fromSettings(_ account: StoredAccount) -> LunaraError {
    let setting = ScrobbleServices.kind(account.service)?.tokenSetting ?? "a setting"
    return LunaraError(
      "scrobble.fromSettings",
      "\(account.name) was set up by \(setting). Remove that setting, or switch the account off with `lunara scrobbles off`."
    )
  }

  static func unknownListen(_ listen: String) -> LunaraError {
    LunaraError(
      "scrobble.unknownListen",
      "No listen \(listen) counted. `lunara scrobbles --json` shows the ids of those that did.")
  }

  static func badImport(_ problem: String) -> LunaraError {
    LunaraError("scrobble.badImport", "A listen cannot be imported: \(problem). Correct that line, or leave it out.")
  }
}

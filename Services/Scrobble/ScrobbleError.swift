import Model

/// What the scrobbler refuses, in words that say what to do. None holds an address with a secret, a token or a key.
enum ScrobbleError {
  static func noKey() -> LunaraError {
    LunaraError(
      "scrobble.noKey",
      "Last.fm wants a key of one's own. Make one at https://www.last.fm/api/account/create and set LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET."
    )
  }

  static func badAddress() -> LunaraError {
    LunaraError(
      "scrobble.badAddress",
      "The address is none. Give a server's base address that begins with https:// or http://, without a user, a token or a question mark."
    )
  }

  static func badSignIn(_ service: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.badSignIn", "\(service) does not take this sign-in. Check the user, the password or the token.",
      cause: cause)
  }

  static func away(_ service: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.serviceAway", "\(service) cannot be asked now. Try again in a while, and check its address.",
      cause: cause)
  }

  static func waits(_ service: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.serviceAway",
      "\(service) takes nothing now. What was heard is kept and sent by itself; `lunara scrobbles retry` tries at once.",
      cause: cause)
  }

  static func refused(_ service: String, cause: String?) -> LunaraError {
    LunaraError(
      "scrobble.refused", "\(service) refuses this program. Check LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET.",
      cause: cause)
  }

  static func unknownSignIn() -> LunaraError {
    LunaraError(
      "scrobble.unknownSignIn", "There is no such sign-in any more. Begin again with `lunara login lastfm`.")
  }

  static func unknownAccount(_ service: String?, _ account: String?) -> LunaraError {
    let name = [service, account].compactMap { $0 }.joined(separator: "/")
    return LunaraError(
      "scrobble.unknownAccount",
      name.isEmpty
        ? "No account is set up. `lunara login lastfm` or `lunara login listenbrainz` adds one."
        : "There is no account \(name). `lunara scrobbles accounts` lists those there are.")
  }

  static func fromSettings(_ account: String) -> LunaraError {
    LunaraError(
      "scrobble.fromSettings",
      "\(account) was set by LUNARA_LISTENBRAINZ_TOKEN. Take that out, or switch the account off with `lunara scrobbles off`."
    )
  }

  static func unknownListen(_ listen: String) -> LunaraError {
    LunaraError(
      "scrobble.unknownListen",
      "No listen \(listen) counted. `lunara scrobbles --json` shows the ids of those that did."
    )
  }

  static func badImport(_ what: String) -> LunaraError {
    LunaraError("scrobble.badImport", "A listen cannot be taken in: \(what). Mend that line, or leave it out.")
  }
}

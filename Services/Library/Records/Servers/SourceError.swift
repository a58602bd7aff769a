package import Model
package import System

/// The errors of sources, in words that tell a person what happened and what to do.
package enum SourceError {
  package static func away(_ source: String, cause: String?) -> LunaraError {
    LunaraError(
      "library.sourceAway",
      "The source \(source) cannot be reached, so nothing was changed. Check that its server runs, and try again.",
      cause: cause)
  }

  /// A request to a server failed; `server` is its name or address without any secret.
  package static func unreachable(_ server: String, _ error: LunaraError) -> LunaraError {
    switch error.code {
    case "http.insecure":
      LunaraError(untrustedCode, "\(server) cannot be used. \(error.message)", cause: error.cause)
    // In these cases the server was reached, and the error says what to do.
    case "http.redirectRefused", "http.tooLarge", "http.tooManyRedirects":
      LunaraError("library.sourceAway", "\(server) cannot be used. \(error.message)", cause: error.cause)
    case "http.unreachable", "http.timeout":
      LunaraError(
        "library.sourceAway",
        "\(server) does not answer. Check the address and its port, that the server runs, and the network; what is known of it stays listed.",
        cause: error.cause.map { "\(error.message) (\($0))" } ?? error.message)
    default:
      LunaraError(
        "library.sourceAway",
        "\(server) cannot be reached. Check that it runs and the network; what is known of it stays listed.",
        cause: error.cause.map { "\(error.message) (\($0))" } ?? error.message)
    }
  }

  /// The code for a server to which no trusted encrypted connection can be made.
  package static let untrustedCode = "library.serverUntrusted"
  /// The code for an address at which something else answers than a server of the kind.
  package static let wrongKindCode = "library.wrongServerKind"

  /// Returns true if an error says that a server cannot be used at the moment, whatever is asked of it. It has not
  /// refused the request, and may take it later.
  package static func isAway(_ error: LunaraError) -> Bool {
    ["library.sourceAway", "library.otherServer", untrustedCode, wrongKindCode].contains(error.code)
  }

  /// Something that is no server of a kind answered, or a proxy in front of one. With a status of 500 or more it may be
  /// the proxy of a server that is away for a while.
  package static func noSuchServer(_ server: String, kind: String, status: Int) -> LunaraError {
    let cause = "HTTP status \(status)"
    switch status {
    case 500...: return unreadableAnswer(server, kind: kind, cause: cause)
    case 401, 403, 407:
      return LunaraError(
        wrongKindCode,
        "\(server) wants a sign-in that is not that of a \(kind) server. Check the address and its port; a proxy in front of the server has to let requests through without a sign-in of its own.",
        cause: cause)
    default:
      return LunaraError(
        wrongKindCode,
        "\(server) answers, but not as a \(kind) server does. Check the address, its port and the path behind them.",
        cause: cause)
    }
  }

  /// A server refused the secret with which it was to be added, so nothing is stored.
  package static func signInRefused(_ server: String, _ what: String, cause: String?) -> LunaraError {
    LunaraError(
      "library.signedOut", "\(server) refuses \(what). Check it and try again; nothing was changed.", cause: cause)
  }

  package static func notSignedIn(_ source: String) -> LunaraError {
    LunaraError("library.signedOut", "Nobody is signed in at the source \(source). Nothing was changed.")
  }

  package static func gone(_ server: String, cause: String? = nil) -> LunaraError {
    LunaraError("library.gone", "\(server) no longer has this. Refresh with `lunara sync`.", cause: cause)
  }

  /// An answer is not in the format of a server of that kind.
  package static func unreadableAnswer(_ server: String, kind: String, cause: String? = nil) -> LunaraError {
    LunaraError(
      "library.sourceAway", "\(server) sent what is no answer of a \(kind) server. Check its address; try again later.",
      cause: cause)
  }

  package static func refused(_ server: String, cause: String) -> LunaraError {
    LunaraError(
      "library.sourceAway", "\(server) refused a request. Try again; if it stays, see its log and update it.",
      cause: cause)
  }

  package static let unreadableListCode = "library.listUnreadable"

  /// A collection or playlist, or the listing of all, was refused; `what` is the subject of the sentence.
  package static func unreadableList(_ what: String, _ server: String, _ error: LunaraError) -> LunaraError {
    LunaraError(
      unreadableListCode,
      "\(what) was refused by \(server), so what is known of it stays. See if it opens there, then run `lunara sync`.",
      cause: error.cause ?? error.message)
  }

  package static let heldListsCode = "library.listsHeld"

  /// So many lists of a server or of the music folders are gone that a person has to agree to their removal; `of` is
  /// the name of the source.
  package static func heldLists(playlists: Int, collections: Int = 0, _ source: String) -> LunaraError {
    let parts = [(playlists, "playlist"), (collections, "collection")].filter { $0.0 > 0 }
      .map { count, word in "\(count) \(word)\(count == 1 ? "" : "s")" }
    let (verb, pronoun) = playlists + collections == 1 ? ("is", "it stays") : ("are", "they stay")
    let isOne = playlists + collections == 1
    return LunaraError(
      heldListsCode,
      "\(parts.joined(separator: " and ")) of \(source) \(verb) no longer there; \(pronoun) listed. If \(isOne ? "it is" : "they are") gone for good, run `lunara sync --accept-deletions`."
    )
  }

  /// A person has accepted deletions, and the server did not list all that it has.
  package static func incompleteListing(_ source: String) -> LunaraError {
    LunaraError(
      "library.listingIncomplete",
      "The source \(source) changed while it was read, so nothing was deleted. Run `lunara sync --accept-deletions` again when its server is not scanning."
    )
  }

  package static func otherServer(_ source: String, _ found: String) -> LunaraError {
    LunaraError(
      "library.otherServer",
      "Another server, \(found), answers where \(source) was; nothing was changed. Correct the address, or run `lunara sync --accept-deletions \(source)` if it has taken its place."
    )
  }

  package static func unknown(_ source: String) -> LunaraError {
    LunaraError("library.unknownSource", "There is no source \(source). `lunara status` lists those there are.")
  }

  package static func exists(_ source: String) -> LunaraError {
    LunaraError(
      "library.sourceExists",
      "That server is the source \(source) already. Give a password or token to sign in there anew; `lunara sources` shows it."
    )
  }

  package static func leaving(_ source: String) -> LunaraError {
    LunaraError(
      "library.sourceExists",
      "The source \(source) is being removed. Try again when `lunara sources` no longer lists it.")
  }

  package static func exists(folder path: [UInt8], in holder: [UInt8]) -> LunaraError {
    let (name, other) = (LocalPath(bytes: path).description, LocalPath(bytes: holder).description)
    return LunaraError(
      "library.sourceExists",
      name == other
        ? "\(name) is a music folder already. `lunara sync files` looks through it now."
        : "\(name) lies in the music folder \(other), which is looked through already. Nothing has to be added.")
  }

  package static func noFolder(_ path: [UInt8], _ error: Errno) -> LunaraError {
    let name = LocalPath(bytes: path).description
    return error.isMissingFile
      ? LunaraError(
        "library.folderMissing",
        "There is no folder \(name) on the machine that runs the library. Give the path it has there.", cause: error)
      : LunaraError(
        "library.folderUnreadable",
        "The folder \(name) cannot be read. Let the user that runs Lunara read it, and add it again.", cause: error)
  }

  package static func unknown(folder name: String) -> LunaraError {
    LunaraError("library.unknownSource", "There is no music folder \(name). `lunara sources` lists those there are.")
  }

  /// The source is defined by a setting, so it would be back after the next start.
  package static func fromSettings(_ source: String) -> LunaraError {
    LunaraError(
      "library.sourceFromSettings",
      "The source \(source) is set by a variable or an option. Take it out there and start the library again.")
  }

  package static func badAddress(_ kind: String, _ address: String) -> LunaraError {
    LunaraError(
      "library.badAddress",
      "\(address) is no address of a source of the kind \(kind). Write the kind of the server and http://HOST:PORT, or the whole path of a folder."
    )
  }

  /// The address may carry a secret, and addresses are shown.
  package static func carriesSecret(_ kind: String) -> LunaraError {
    LunaraError(
      "library.badAddress",
      "An address of a source of the kind \(kind) has no user, password or token in it, as it is shown. Write http://HOST:PORT and give the secret where it is asked for."
    )
  }

  /// A server would round a rating, so that another one would be shown after the next refresh.
  package static func wholeStarsOnly(_ source: String, _ rating: Rating) -> LunaraError {
    let lower = rating.rawValue / 2
    let advice = lower == 0 ? "1 star" : "\(lower) or \(lower + 1) stars"
    return LunaraError(
      "library.notRateable", "The source \(source) keeps whole stars only. Nothing was changed; rate with \(advice).")
  }

  package static func notRateable(_ item: String, _ source: String) -> LunaraError {
    LunaraError("library.notRateable", "\(item) cannot be rated: the source \(source) keeps no ratings of that kind.")
  }
}

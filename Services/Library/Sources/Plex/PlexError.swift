import Messages
import Model

/// The errors of a Plex server, in the words of `MusicServer`. They name the server and never an address with a token.
enum PlexError {
  /// An answer that is no answer.
  static func nonsense(_ server: String) -> LunaraError {
    LunaraError(
      "library.sourceAway", "\(server) sent what is no answer of a Plex server. Check its address; try again later.")
  }

  /// A server that cannot be reached.
  static func away(_ server: String, _ error: LunaraError) -> LunaraError {
    LunaraError(
      "library.sourceAway",
      "\(server) cannot be reached. Check that it runs and the network; what is known of it stays listed.",
      cause: error.cause.map { "\(error.message) (\($0))" } ?? error.message)
  }

  /// A token that the server no longer takes.
  static func signedOut(_ server: String) -> LunaraError {
    LunaraError(
      "library.signedOut",
      "\(server) no longer takes the sign-in. Sign in again with `lunara login plex`; what is known stays listed.")
  }

  /// An item that is not there.
  static func gone(_ server: String) -> LunaraError {
    LunaraError("library.gone", "\(server) no longer has this. Refresh with `lunara sync`.")
  }

  /// What a status means; nil where all is well.
  static func from(_ status: Int, _ server: String) -> LunaraError? {
    switch status {
    case 200..<300: nil
    case 401: signedOut(server)
    case 404: gone(server)
    default:
      LunaraError(
        "library.sourceAway",
        "\(server) refused a request. Try again; if it stays, see its log and update it.",
        cause: "HTTP status \(status)")
    }
  }
}

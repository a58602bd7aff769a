import HTTP
import Messages
import Model

/// An answer of a server: a tree, or the code and message of an error.
enum SubsonicAnswer {
  case content(JSONView)
  /// A refusal, with the version that the server speaks.
  case failed(code: Int, message: String, version: String?)

  /// Reads an answer; nil for what is none, such as a page of a web server in between. The status says nothing: servers
  /// send errors with 200 and answers about unknown methods with 404.
  init?(_ body: [UInt8]) {
    guard let envelope = JSONView(body)?["subsonic-response"] else { return nil }
    if let error = envelope["error"] {
      self = .failed(
        code: Int(clamping: error["code"]?.integer ?? 0), message: error["message"]?.string ?? "",
        version: envelope["version"]?.string)
    } else if envelope["status"]?.string == "ok" {
      self = .content(envelope)
    } else {
      return nil
    }
  }
}

/// The errors of a Subsonic server, in the words of `MusicServer`. They name the server and never an address with a
/// secret.
enum SubsonicError {
  /// Returns the error that a refusal stands for (opensubsonic.netlify.app, "Error handling").
  static func from(_ code: Int, _ message: String, _ server: String) -> LunaraError {
    let cause = "error \(code): \(message.prefix(200))"
    switch code {
    case 40...44: return signedOut(server, cause)
    case 70: return SourceError.gone(server, cause: cause)
    case 50:
      return LunaraError(
        "library.sourceAway", "\(server) does not let this user do that. Give the user the right there.", cause: cause)
    case 20, 30:
      return LunaraError(
        "library.sourceAway", "\(server) speaks another version of the interface. Update it.", cause: cause)
    default: return SourceError.refused(server, cause: cause)
    }
  }

  static func signedOut(_ server: String, _ cause: String?) -> LunaraError {
    LunaraError(
      "library.signedOut",
      "\(server) does not take the sign-in. Give the right ones with `lunara sources add subsonic ADDRESS --user NAME`; what is known stays listed.",
      cause: cause)
  }

  /// A server that takes only the password, where others could read it.
  static func exposed(_ server: String) -> LunaraError {
    LunaraError(
      "library.passwordExposed",
      "\(server) takes only the password itself, and anyone on the way could read it. Give its address with https, or agree to that by `lunara sources add subsonic ADDRESS --expose-password`."
    )
  }
}

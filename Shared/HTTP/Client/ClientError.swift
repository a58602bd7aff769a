import CCurl
import Model

/// The errors of the client. They name the server, never the whole address, which may hold a token.
enum ClientError {
  /// What a failed transfer means to a person.
  static func from(_ result: CURLcode, words: String, server: String, request: HTTPRequest) -> LunaraError {
    let cause = words.isEmpty ? String(cString: curl_easy_strerror(result)) : words
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
      return LunaraError(
        "http.unreachable", "\(server) cannot be reached. Check that it runs, its address, and the network.",
        cause: cause)
    case CURLE_OPERATION_TIMEDOUT:
      return LunaraError(
        "http.timeout", "\(server) did not answer within \(request.timeout). Try again, or check the network.",
        cause: cause)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      return badAddress(cause: cause)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
      return LunaraError(
        "http.insecure", "There is no safe connection to \(server). Check its certificate and this computer's clock.",
        cause: cause)
    case CURLE_FILESIZE_EXCEEDED: return tooLarge(server, request, cause: cause)
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY,
      CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return LunaraError(
        "http.brokenAnswer", "\(server) broke off or sent what is no answer. Try again; if it stays, see its log.",
        cause: cause)
    default:
      return LunaraError("http.failed", "The request to \(server) failed. Try again.", cause: cause)
    }
  }

  /// An answer beyond the request's limit.
  static func tooLarge(_ server: String, _ request: HTTPRequest, cause: String? = nil) -> LunaraError {
    LunaraError(
      "http.tooLarge", "\(server) sent more than the \(request.responseLimit) bytes that were expected at most.",
      cause: cause)
  }

  /// An address that is none of http or https.
  static func badAddress(cause: String?) -> LunaraError {
    LunaraError(
      "http.badAddress", "The address is malformed. Give one that begins with http:// or https://.", cause: cause)
  }

  /// A method or header that cannot be sent.
  static func badRequest(_ what: String) -> LunaraError {
    LunaraError("http.badRequest", "A request could not be sent: \(what). This is a fault of the program; report it.")
  }

  /// Servers that send from one to the next without end.
  static func tooManyRedirects(_ server: String, _ limit: Int) -> LunaraError {
    LunaraError("http.tooManyRedirects", "\(server) redirected more than \(limit) times. Check its address.")
  }
}

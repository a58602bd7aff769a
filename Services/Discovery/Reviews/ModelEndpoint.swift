import HTTP
import Messages
import Model
import Text

/// The address of an endpoint that a person named.
struct ModelAddress: Hashable, Sendable {
  /// The base address, such as `http://127.0.0.1:11434/v1`.
  let text: String
  /// The scheme, host and port.
  let server: Origin

  /// Reads the address of an interface of OpenAI's form, with or without `/chat/completions` at its end. Without
  /// encryption only this computer and private networks may be asked.
  ///
  /// - Throws: `discovery.badEndpoint`.
  init(_ typed: String) throws(LunaraError) {
    var text = typed.trimmed
    while text.hasSuffix("/") { text.removeLast() }
    let path = "/chat/completions"
    if text.hasSuffix(path) { text.removeLast(path.count) }
    guard text.utf8.count <= 500, let base = HTTPBaseAddress(text), let server = Origin(base.base) else {
      throw LunaraError(
        "discovery.badEndpoint",
        "\(typed.prefix(80)) is no address of an endpoint. Give one such as http://127.0.0.1:11434/v1, without user, query and blanks."
      )
    }
    guard base.isEncrypted || server.isPrivate else {
      throw LunaraError(
        "discovery.badEndpoint",
        "\(server.name) is not in a private network, so it is only asked with encryption. Give an address that begins with https://."
      )
    }
    self.text = base.base
    self.server = server
  }

  /// The server as it is stored beside its key.
  var serverText: String { "\(server.scheme)://\(server.name)" }
}

/// A message to a model.
struct ModelMessage: Encodable, Hashable, Sendable {
  /// `system` for instructions, `user` for data.
  var role: String
  var content: String
}

/// An answer of a model.
struct ModelAnswer: Hashable, Sendable {
  var text: String
  /// True if the model stopped at its limit of words.
  var isCut: Bool
  /// True if the answer names the pages that the model has found by a search.
  var hasSearched: Bool
}

/// An endpoint of OpenAI's form (`POST /chat/completions`), hosted or on a machine of the house.
struct ModelEndpoint: Sendable {
  /// The largest answer that is read, in bytes.
  static let answerLimit = 256 * 1024

  let http: HTTPClient
  let address: ModelAddress
  let model: String
  /// Sent to this endpoint only, and never logged; nil for none.
  let key: String?
  /// The time for one request.
  let deadline: Duration

  private struct Body: Encodable {
    var model: String
    var messages: [ModelMessage]
    var stream = false
  }

  /// Asks the model.
  ///
  /// - Throws: `discovery.modelAway`, `discovery.modelBusy`, `discovery.modelFailed`, `discovery.modelRefused`,
  ///   `CancellationError`.
  func complete(_ messages: [ModelMessage]) async throws -> ModelAnswer {
    var headers = [("Content-Type", "application/json"), ("Accept", "application/json")]
    if let key { headers.append(("Authorization", "Bearer \(key)")) }
    let response: HTTPResponse
    do {
      // An answer costs money, so a lost one is not requested again automatically. A redirection would send the key and
      // the album to another server.
      response = try await http.send(
        HTTPRequest(
          .changes, method: "POST", url: address.text + "/chat/completions", headers: headers,
          body: try MessageCoding.encode(Body(model: model, messages: messages)), timeout: deadline,
          responseLimit: Self.answerLimit, redirectLimit: 0))
    } catch let error as LunaraError {
      throw failure(error)
    }
    guard (200..<300).contains(response.status) else { throw refusal(response) }
    return try answer(response.body)
  }

  private func answer(_ body: [UInt8]) throws(LunaraError) -> ModelAnswer {
    guard let view = JSONView(body), view.isObject, let choice = view["choices"]?.elements.first,
      let message = choice["message"], message.isObject
    else { throw failed("It answered something that is not the answer of a model; check that its address is right.") }
    // A model that was cut while it thought has no content, and some servers give it in parts.
    let content = message["content"]
    let parts = content?.elements.compactMap { $0["text"]?.string } ?? []
    let found = [message["annotations"], view["citations"], view["search_results"]]
    return ModelAnswer(
      text: content?.kind == .string ? content?.string ?? "" : parts.joined(),
      isCut: choice["finish_reason"]?.string == "length",
      hasSearched: found.contains { $0?.isArray == true && $0?.elements.isEmpty == false })
  }

  private func refusal(_ response: HTTPResponse) -> LunaraError {
    let cause = words(of: response)
    switch response.status {
    case 401, 403:
      return LunaraError(
        "discovery.modelRefused",
        "\(server) does not allow the request. Check the key and the model: `lunara review settings --key-file FILE`.",
        cause: cause)
    case 429:
      let pause = response.retryAfter(now: Int(Timestamp.now().seconds)).map { " It asks to wait \($0)." } ?? ""
      return LunaraError(
        "discovery.modelBusy",
        "\(server) has had too many requests, or your credit there is used up.\(pause) Try again later.", cause: cause)
    default: return failed("It answered \(response.status).", cause: cause)
    }
  }

  private func failure(_ error: LunaraError) -> LunaraError {
    switch error.code {
    case "http.unreachable", "http.timeout", "http.insecure":
      LunaraError("discovery.modelAway", error.message, cause: error.cause)
    case "http.tooManyRedirects", "http.redirectRefused":
      failed("It redirects to another address, which is not followed. If that is the right one, set it.")
    case "http.tooLarge": failed("It sent more than \(Self.answerLimit >> 10) KiB, which is no review.")
    default: failed(error.message, cause: error.cause)
    }
  }

  private func failed(_ reason: String, cause: String? = nil) -> LunaraError {
    LunaraError("discovery.modelFailed", "\(server) gave no usable answer. \(reason)", cause: cause)
  }

  private var server: String { address.server.name }

  /// Returns what a server says of its error, short; nil if it says nothing, or repeats the key.
  private func words(of response: HTTPResponse) -> String? {
    guard let error = JSONView(response.body)?["error"] else { return nil }
    let text = (error["message"]?.string ?? error.string ?? "").withoutUnsafeScalars.trimmed
    guard !text.isEmpty, key.map({ !text.contains($0) }) ?? true else { return nil }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(300)))
  }
}

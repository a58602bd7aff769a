import HTTP
import Messages
import Model

/// An answer of a server that speaks Last.fm's protocol. Servers vary, so reading is lenient: XML or JSON, a list of
/// one item without brackets, numbers as texts, names in any case, and any HTTP status.
enum LastFMAnswer {
  /// The server carried out the request and answered with this tree.
  case done(AnswerNode)
  /// The server refused, with a code (last.fm/api/errorcodes) and a reason.
  case failed(code: Int, reason: String)
  /// The server limits requests, for `wait` if it states a time.
  case limited(reason: String, wait: Duration?)
  /// The answer cannot be read; it may be the page of a proxy or an error of the web server.
  case unreadable(String)

  init(_ response: HTTPResponse) {
    self.init(body: response)
    // The limit may be that of a proxy, so the body may be anything.
    let wait = response.retryAfter(now: Int(Timestamp.now().seconds))
    if case .failed(29, let reason) = self {
      self = .limited(reason: reason, wait: wait)
    } else if response.status == 429 {
      let reason = if case .failed(_, let reason) = self { reason } else { "the server limits requests (429)" }
      self = .limited(reason: reason, wait: wait)
    }
  }

  private init(body response: HTTPResponse) {
    let tree: AnswerNode? =
      switch response.body.first(where: { $0 > 32 }) {
      case UInt8(ascii: "{"): .json(response.body)
      case UInt8(ascii: "<"): .xml(response.body)
      default: nil
      }
    guard let tree, tree.name == "answer" || tree.name == "lfm" else {
      self = .unreadable(
        "the server answered \(response.status) with something that is no answer of Last.fm's protocol")
      return
    }
    // JSON: {"error": 9, "message": "…"}; XML: <lfm status="failed"><error code="9">…</error></lfm>.
    if let error = tree["error"], let code = error["code"]?.integer ?? error.integer {
      let reason = tree["message"]?.plainText ?? (error["code"] != nil ? error.plainText : "")
      self = .failed(code: code, reason: reason.isEmpty ? "error \(code)" : "\(reason.prefix(200)) (error \(code))")
    } else if tree["status"]?.plainText == "failed" || response.status >= 500 {
      self = .unreadable("the server answered \(response.status) without a reason")
    } else {
      self = .done(tree)
    }
  }

  /// The result of a request for a single item.
  var result: SendResult {
    switch self {
    case .done: SendResult(.answered([.accepted(nil)]))
    case .failed(let code, let reason): Self.result(code, reason)
    case .limited(let reason, let wait): SendResult(.limited(reason, wait: wait.map { max(.seconds(1), $0) }))
    case .unreadable(let problem): SendResult(.failed(problem, isAnswer: true), mayHaveArrived: true)
    }
  }

  /// Returns the result of a batch of `count` listens.
  func result(of count: Int) -> SendResult {
    guard case .done(let tree) = self else { return result }
    let outcome = Self.items(of: tree, count)
    let isUnclear = if case .failed = outcome { true } else { false }
    return SendResult(outcome, mayHaveArrived: isUnclear)
  }

  /// Returns the consequence of an error code (last.fm/api/errorcodes, last.fm/api/scrobbling).
  static func result(_ code: Int, _ reason: String) -> SendResult {
    switch code {
    // The session or token is not valid: a person must sign in again.
    case 4, 9, 14, 15, 17: SendResult(.refused(.signedOut, reason))
    // The API key or its signature is not valid, or the key is suspended.
    case 10, 13, 26: SendResult(.refused(.refused, reason))
    // “Please try again”. Some servers always answer 8 for one item, which the delivery plan detects.
    case 8: SendResult(.failed(reason, isAnswer: true))
    case 11, 16: SendResult(.failed(reason, isAnswer: false))
    // 2, 3, 5, 6, 7, 27 and unknown codes: repeating the request would give the same answer.
    default: SendResult(.rejected(reason))
    }
  }

  /// Returns the answers to `count` listens. A listen counts as accepted only if its own entry says so, or if the
  /// server gives no entries and its totals say that it accepted all or ignored none, as Maloja's do.
  private static func items(of tree: AnswerNode, _ count: Int) -> SendOutcome {
    let scrobbles = tree["scrobbles"]
    let (accepted, ignored) = (scrobbles?["accepted"]?.integer, scrobbles?["ignored"]?.integer)
    let ignoresNone = accepted.map { $0 == count && ignored ?? 0 == 0 } ?? (ignored == 0)
    let entries = scrobbles?.all("scrobble") ?? []
    if entries.isEmpty, ignoresNone { return .answered(Array(repeating: .accepted(nil), count: count)) }
    let answers = entries.count == count ? entries.compactMap { answer($0, acceptsUnsaid: ignoresNone) } : []
    let taken = answers.count { if case .accepted = $0 { true } else { false } }
    let agrees = taken <= accepted ?? taken && count - taken >= ignored ?? 0
    if answers.count == count, agrees { return .answered(answers) }
    guard let ignored, ignored > 0 else {
      return .failed("the server answered without saying what it accepted", isAnswer: true)
    }
    return .rejected(
      count == 1
        ? "the server ignored it and does not say why"
        : "the server ignored \(ignored) of \(count) and does not say which")
  }

  /// Returns the answer in an entry; nil for one that says nothing about its listen. `acceptsUnsaid` is true if an
  /// entry that only names a track counts as accepted.
  private static func answer(_ item: AnswerNode, acceptsUnsaid: Bool) -> ItemAnswer? {
    let message = item["ignoredmessage"]
    let reason = message?.plainText ?? ""
    guard let code = message?["code"]?.integer else {
      if !reason.isEmpty { return .ignored(reason) }
      return acceptsUnsaid && item["track"] != nil ? .accepted(correction(in: item)) : nil
    }
    switch code {
    case 0: return .accepted(correction(in: item))
    case 5: return .later("\(reason.isEmpty ? "daily scrobble limit exceeded" : reason) (ignored: 5)")
    default:
      return .ignored(
        "\(reason.isEmpty ? ignoredReasons[code] ?? "the service does not say why" : reason) (ignored: \(code))")
    }
  }

  /// The reasons why a listen was ignored, by the service's code, if the service gives only the code.
  private static let ignoredReasons = [
    1: "the artist was filtered", 2: "the track was filtered", 3: "the time is too long ago",
    4: "the time is in the future",
  ]

  /// Returns the names to which the service corrected a listen. They are shown, but never written into the library.
  private static func correction(in item: AnswerNode) -> String? {
    let names = ["artist", "track", "album"].compactMap { name -> String? in
      guard let part = item[name], part["corrected"]?.integer == 1 else { return nil }
      return "\(name) “\(part.plainText.prefix(100))”"
    }
    return names.isEmpty ? nil : "corrected to \(names.joined(separator: ", "))"
  }
}

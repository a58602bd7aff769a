import HTTP
import Messages

/// An answer of a server that speaks Last.fm's protocol. Servers vary, so reading is lenient: XML or JSON, a list of
/// one item without brackets, numbers as texts, names in any case, and any HTTP status.
enum LastFMAnswer {
  /// The server carried out the request and answered with this tree.
  case done(AnswerNode)
  /// The server refused, with a code (last.fm/api/errorcodes) and a reason.
  case failed(code: Int, reason: String)
  /// The answer cannot be read; it may be the page of a proxy or an error of the web server.
  case unreadable(String)

  init(_ response: HTTPResponse) {
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
    case .unreadable(let problem): SendResult(.failed(problem, isAnswer: true))
    }
  }

  /// Returns the result of a batch of `count` listens.
  func result(of count: Int) -> SendResult {
    guard case .done(let tree) = self else { return result }
    return SendResult(Self.items(of: tree, count))
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
    case 29: SendResult(.limited(reason, wait: nil))
    // 2, 3, 5, 6, 7, 27 and unknown codes: repeating the request would give the same answer.
    default: SendResult(.rejected(reason))
    }
  }

  private static func items(of tree: AnswerNode, _ count: Int) -> SendOutcome {
    guard let scrobbles = tree["scrobbles"] else {
      return .failed("the server answered without saying what it accepted", isAnswer: true)
    }
    let items = scrobbles.all("scrobble")
    if items.count == count { return .answered(items.map(answer)) }
    // Some servers return only the number of accepted listens.
    let ignored = scrobbles["ignored"]?.integer ?? 0
    if items.isEmpty, ignored == 0, scrobbles["accepted"]?.integer ?? count == count {
      return .answered(Array(repeating: .accepted(nil), count: count))
    }
    return .rejected(
      count == 1
        ? "the server did not accept it and does not say why"
        : "the server accepted \(count - ignored) of \(count) and does not say which")
  }

  private static func answer(_ item: AnswerNode) -> ItemAnswer {
    let message = item["ignoredmessage"]
    let code = message?["code"]?.integer ?? 0
    let reason = message?.plainText ?? ""
    switch code {
    case 0: return .accepted(correction(in: item))
    case 5: return .later("\(reason.isEmpty ? "daily scrobble limit exceeded" : reason) (ignored: 5)")
    default:
      return .ignored(
        "\(reason.isEmpty ? ignoredReasons[code] ?? "the service does not say why" : reason) (ignored: \(code))")
    }
  }

  /// The reasons for which a listen was ignored, by the service's code, if the service gives only the code.
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

import HTTP
import Messages

/// What a server of Last.fm's protocol answered, read leniently: XML or JSON, lists of one without their brackets, numbers
/// as texts, names in any case, and whatever the status of the HTTP says.
enum LastFMAnswer {
  /// It did what was asked; the tree of what it says.
  case done(AnswerNode)
  /// It says why not, with a code of its own (last.fm/api/errorcodes).
  case failed(code: Int, words: String)
  /// It says nothing that can be understood: a page of a proxy, an error of the web server.
  case nonsense(String)

  init(_ response: HTTPResponse) {
    let body = response.body
    let first = body.first { $0 > 32 }
    let tree: AnswerNode?
    switch first {
    case UInt8(ascii: "{"): tree = .json(body)
    case UInt8(ascii: "<"): tree = .xml(body)
    default: tree = nil
    }
    guard let tree, tree.name == "answer" || tree.name == "lfm" else {
      self = .nonsense("the server answered \(response.status) with what is no answer")
      return
    }
    // JSON: {"error": 9, "message": "…"}; XML: <lfm status="failed"><error code="9">…</error></lfm>.
    if let error = tree["error"], let code = error["code"]?.integer ?? error.integer {
      let words = tree["message"]?.words ?? (error["code"] != nil ? error.words : "")
      self = .failed(code: code, words: Self.words(words, code))
    } else if tree["status"]?.words == "failed" || response.status >= 500 {
      self = .nonsense("the server answered \(response.status) without saying why")
    } else {
      self = .done(tree)
    }
  }

  /// The server's own words, at most so many, with the code that they go with.
  private static func words(_ words: String, _ code: Int) -> String {
    words.isEmpty ? "error \(code)" : "\(words.prefix(200)) (error \(code))"
  }
}

extension LastFMAnswer {
  /// What it says of the items of a batch.
  func result(of count: Int) -> SendResult {
    switch self {
    case .nonsense(let words): SendResult(.failed(words, isAnswer: true))
    case .failed(let code, let words): LastFMPolicy.result(code, words)
    case .done(let tree): SendResult(Self.items(of: tree, count))
    }
  }

  private static func items(of tree: AnswerNode, _ count: Int) -> SendOutcome {
    guard let scrobbles = tree["scrobbles"] else {
      return .failed("the server answered without saying what it took", isAnswer: true)
    }
    let items = scrobbles.all("scrobble")
    if items.count == count { return .answered(items.map(answer)) }
    // Some servers only count.
    let ignored = scrobbles["ignored"]?.integer ?? 0
    if items.isEmpty, ignored == 0, scrobbles["accepted"]?.integer ?? count == count {
      return .answered(Array(repeating: .taken(nil), count: count))
    }
    return .rejected(
      count == 1
        ? "the server did not take it and does not say why"
        : "the server took \(count - ignored) of \(count) and does not say which")
  }

  private static func answer(_ item: AnswerNode) -> ItemAnswer {
    let message = item["ignoredmessage"]
    let code = message?["code"]?.integer ?? 0
    let words = message?.words ?? ""
    switch code {
    case 0: return .taken(correction(in: item))
    case 5: return .later(words.isEmpty ? "daily scrobble limit exceeded (ignored: 5)" : "\(words) (ignored: 5)")
    default: return .ignored("\(words.isEmpty ? LastFMPolicy.ignored(code) : words) (ignored: \(code))")
    }
  }

  /// What the service knows it by, where it corrected it. It is shown, and never written anywhere.
  private static func correction(in item: AnswerNode) -> String? {
    let names = ["artist", "track", "album"].compactMap { name -> String? in
      guard let part = item[name], part["corrected"]?.integer == 1 else { return nil }
      return "\(name) “\(part.words.prefix(100))”"
    }
    return names.isEmpty ? nil : "corrected to \(names.joined(separator: ", "))"
  }
}

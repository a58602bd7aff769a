import Client
import Messages
import Model

extension Command {
  static let like = opinion(
    .like, summary: "like an album, which shapes walls and feeds",
    discussion: """
      Walls and feeds prefer what is near your likes. Your own servers get a like, too: a Plex server rates the album
      with five stars if it has no rating there, and an OpenSubsonic server stars it. `lunara likes sharing` switches that.
      """,
    examples: ["lunara like files:a3": "by its id", "lunara like Glasshouse": "by its title"])

  static let dislike = opinion(
    .dislike, summary: "dislike an album, which leaves all walls and feeds",
    discussion: """
      The album stays everywhere else. Your servers do not get it. ListenBrainz is asked not to recommend the album, once
      `lunara likes sharing listenbrainz on` has allowed that.
      """,
    examples: ["lunara dislike files:a3": "by its id", "lunara dislike Glasshouse": "by its title"])

  static let unlike = opinion(
    nil, summary: "take back a like or a dislike",
    discussion: "Servers keep what they already received.",
    examples: ["lunara unlike files:a3": "by its id", "lunara unlike Glasshouse": "by its title"])

  private static func opinion(
    _ opinion: Library.Opinion?, summary: String, discussion: String, examples: KeyValuePairs<String, String>
  ) -> Command {
    Command(
      name: opinion.word, summary: summary, discussion: discussion, examples: examples,
      each: .albums()
    ) { client, console, album in
      let before = try await client.ask(Library.SetOpinion(id: album, opinion: opinion)).before
      let words = "\(album): \(opinion.shown)\(before == opinion ? ", as before" : "")"
      console.print(
        ["id": album, "opinion": (opinion?.rawValue).orNull, "before": (before?.rawValue).orNull], text: "\(words)\n")
      if before != opinion { console.remark("To undo: lunara \(before.word) \(album)") }
    }
  }

  static let likes = Command(
    name: "likes", summary: "the albums that you like and dislike, the latest first",
    discussion: """
      Albums that are not in the library at the moment are listed too; their likes return with them. A service that did
      not accept one is named beside it.
      """,
    examples: [
      "lunara likes": "both lists", "lunara likes sharing": "which services receive what",
      "lunara likes retry": "sends again what services refused",
    ],
    commands: [sharing, retryOpinions]
  ) { client, console in
    var items: [Library.AlbumOpinion] = []
    var cursor: String?
    repeat {
      let page = try await client.ask(Library.ListOpinions(after: cursor, limit: 500))
      items += page.items
      cursor = page.next
    } while cursor != nil
    console.print(
      [
        "likes": items.filter { $0.opinion == .like }, "dislikes": items.filter { $0.opinion == .dislike },
      ], Table(items.map(\.row)), ifEmpty: "There is no like and no dislike yet. `lunara like ID` gives one.")
  }

  private static let sharing = Command(
    name: "sharing", summary: "which services receive likes and dislikes",
    discussion: """
      What you said while a service was switched off is not sent later. Taking back a like changes nothing at a service
      that already received it.
      """,
    examples: [
      "lunara likes sharing": "each service, what it receives, and what waits",
      "lunara likes sharing plex off": "no longer rates albums at Plex servers",
      "lunara likes sharing listenbrainz on": "asks ListenBrainz not to recommend what you dislike",
    ],
    takes: .operands(
      "[SERVICE on|off]", 0...2, help: "the service, and whether it receives opinions",
      completes: .household(.opinionServices))
  ) { client, console, words in
    if !words.isEmpty {
      guard words.count == 2, ["on", "off"].contains(words[1]) else {
        throw UsageError("Name a service, and on or off: lunara likes sharing plex off.")
      }
      _ = try await client.ask(Library.SetOpinionSharing(service: words[0], isOn: words[1] == "on"))
    }
    let sharing = try await client.ask(Library.ReadOpinionSharing())
    console.print(sharing.json, Table(sharing.services.map(\.row)), ifEmpty: "")
  }

  private static let retryOpinions = Command(
    name: "retry", summary: "tell services again of what they refused",
    examples: ["lunara likes retry": "all services", "lunara likes retry subsonic": "one"],
    takes: .optional(
      "SERVICE", help: "such as plex or listenbrainz", completes: .household(.opinionServices))
  ) { client, console, service in
    _ = try await client.ask(Library.RetryOpinions(service: service))
    console.print(
      ["retried": service ?? "all"],
      text: "\(service ?? "All services"): told again. `lunara likes sharing` shows what came of it.\n")
  }
}

extension Library.Opinion? {
  /// The name of the command that gives it.
  fileprivate var word: String {
    switch self {
    case .like: "like"
    case .dislike: "dislike"
    default: "unlike"
    }
  }

  fileprivate var shown: String {
    switch self {
    case .like: "liked"
    case .dislike: "disliked"
    default: "no opinion"
    }
  }
}

extension Library.AlbumOpinion: TableRow {
  var row: [Table.Cell] {
    let problems = (problems ?? []).map { "\($0.service): \($0.error.message)" }
    let remarks = (isHere == false ? ["not in the library"] : []) + problems
    return [
      .faint("\(id)"), .init(opinion.rawValue), .strong(title), .init(artist), .number(year.map { "\($0)" } ?? ""),
      .faint(remarks.joined(separator: "; ")),
    ]
  }
}

extension Library.OpinionSharing.Service {
  fileprivate var row: [Table.Cell] {
    let counts = [waiting > 0 ? "\(waiting) waiting" : nil, failed > 0 ? "\(failed) refused" : nil].compactMap(\.self)
    return [
      .strong(service), .init(isOn ? "on" : "off"), .init(counts.joined(separator: ", ")),
      .faint(problem?.message ?? sends),
    ]
  }
}

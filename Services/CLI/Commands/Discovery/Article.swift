import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let searchAgain = Option(
    "--again", help: "search once more; the article that there is stays until then")
  fileprivate static let languages = Option(
    "--languages", "LIST", help: "up to 5 languages of Wikipedia, the one that you like best first, such as de,en")
}

extension Command {
  static let article = Command(
    name: "article", summary: "what Wikipedia says about an album or artist",
    discussion: """
      An article is searched when you ask for it, and kept for good. Pages are found by the ids of MusicBrainz, or by exact
      names; where that leaves a doubt, you choose. Articles are off until `lunara article settings on`.
      """,
    examples: [
      "lunara article files:a3": "about an album", "lunara article \"Nova Kessler\"": "about an artist",
      "lunara article files:a3 --again": "search once more",
    ],
    options: [.searchAgain],
    operand: .some("ID", help: "the id of the album or artist, or the title", completes: .household(.playables)),
    commands: [chooseArticle, articleSettings],
    action: .asynchronous { context in
      let client = try await Client.startingDiscovery(context)
      let isAgain = context.arguments.has(.searchAgain)
      var status = try await client.article(context.arguments.operands)
      let needsSearch = status.article == nil && status.guesses == nil
      if isAgain || (needsSearch && !status.isBeingSearched) {
        let request = Discovery.FindArticle(subject: status.subject, isAgain: isAgain ? true : nil)
        status = try await client.ask(request, of: .discovery)
      }
      status = try await client.ended(status, context.console)
      if let problem = status.problem, isAgain || status.article == nil { throw problem }
      context.console.print(status.json, text: status.text(context.console))
    })

  private static let chooseArticle = Command(
    name: "choose", summary: "say which page is about an album or artist",
    discussion: "`lunara article ID` lists the pages that may be right. An article that is wrong goes with “none”.",
    examples: [
      "lunara article choose files:a3 1": "the first of them", "lunara article choose files:a3 none": "none is right",
    ],
    operand: Operand(
      name: "ID N|none", count: 2...1000, help: "the album or artist, and the number of the page or none",
      completes: .household(.playables)),
    action: .asynchronous { context in
      let words = context.arguments.operands
      let client = try await Client.startingDiscovery(context)
      var status = try await client.article(Array(words.dropLast()))
      var page: Discovery.ArticleGuess?
      if let word = words.last, word != "none" {
        let guesses = status.guesses ?? []
        guard let number = Int(word), (1...max(1, guesses.count)).contains(number) else {
          throw UsageError("Give the number of a page as `lunara article ID` lists it, or none, not “\(word)”.")
        }
        guard guesses.count >= number else {
          throw LunaraError("discovery.unknownArticle", "There is no page in question. `lunara article ID` searches.")
        }
        page = guesses[number - 1]
      }
      status = try await client.ask(
        Discovery.ChooseArticle(subject: status.subject, page: page), of: .discovery)
      status = try await client.ended(status, context.console)
      if let problem = status.problem { throw problem }
      let text = page == nil ? "No article is shown about it.\n" : status.text(context.console)
      context.console.print(status.json, text: text)
    })

  private static let articleSettings = Command(
    name: "settings", summary: "whether articles are read at Wikipedia, and in which languages",
    discussion: "Articles that were read are kept when they are switched off.",
    examples: [
      "lunara article settings": "what is set, and what leaves the house",
      "lunara article settings on --languages de,en": "in German, else in English",
      "lunara article settings off": "nothing is asked any more",
    ],
    options: [.languages],
    operand: .optional("on|off", help: "whether articles are read", completes: .words(["on", "off"])),
    action: .asynchronous { context in
      let (arguments, console) = (context.arguments, context.console)
      let isOn = try arguments.operands.isEmpty ? nil : arguments.word(0, "on|off", ["on": true, "off": false])
      let languages = arguments.value(.languages)?.split(separator: ",").map(String.init)
      let client = try await Client.startingDiscovery(context)
      let isChange = isOn != nil || languages != nil
      let settings =
        try await isChange
        ? client.ask(Discovery.SetArticles(isOn: isOn, languages: languages), of: .discovery)
        : client.ask(Discovery.ReadArticleSettings(), of: .discovery)
      let table = Table([
        [.init("articles"), .strong(settings.isOn ? "on" : "off")],
        [.init("languages"), .strong(settings.languages.joined(separator: ", "))],
        [.init("articles kept"), .strong("\(settings.kept)")],
      ])
      console.print(settings.json, table, ifEmpty: "")
      console.note(settings.sends)
    })
}

extension Client {
  /// Reads the article about the album or artist that words denote: the album where an id is that of both.
  fileprivate func article(_ words: [String]) async throws -> Discovery.ArticleStatus {
    let ids = try await playables(words)
    guard ids.count == 1 else { throw UsageError("Give one album or artist.") }
    let album = Discovery.ArticleSubject(album: AlbumID(source: ids[0].source, native: ids[0].native))
    do { return try await ask(Discovery.ReadArticle(subject: album), of: .discovery) } catch let error as LunaraError
      where error.code == "discovery.unknownAlbum"
    {
      let artist = Discovery.ArticleSubject(artist: ArtistID(source: ids[0].source, native: ids[0].native))
      return try await ask(Discovery.ReadArticle(subject: artist), of: .discovery)
    }
  }

  /// Waits until an article is no longer searched.
  fileprivate func ended(
    _ status: Discovery.ArticleStatus, _ console: Console
  ) async throws -> Discovery.ArticleStatus {
    var status = status
    while status.isBeingSearched {
      console.progress("The article is being searched.")
      try await Task.sleep(for: .milliseconds(300))
      status = try await ask(Discovery.ReadArticle(subject: status.subject), of: .discovery)
    }
    console.progress(nil)
    return status
  }
}

extension Discovery.ArticleStatus {
  /// The article for people, or the pages of which they are to choose.
  fileprivate func text(_ console: Console) -> String {
    let width = min(console.width ?? 80, 100)
    var lines: [String] = []
    if let article {
      lines.append(console.style.strong(Printable.line(article.title)))
      for paragraph in article.paragraphs { lines += [""] + Printable.wrapped(paragraph, width, indent: "") }
      let licence = "\(article.licence), \(article.licenceAddress)"
      lines += [
        "", Printable.line(article.address),
        console.style.faint("\(Printable.line(article.site)) (\(Printable.line(licence))), \(article.readAt.local)"),
      ]
    }
    if let guesses {
      lines += lines.isEmpty ? [] : [""]
      lines.append("These pages may be about it. Choose one: lunara article choose ID N, or none.")
      for (index, guess) in guesses.enumerated() {
        let name = "\(index + 1). \(guess.title) (\(guess.language))"
        lines += Printable.wrapped(name + (guess.about.map { ": \($0)" } ?? ""), width, indent: "   ", first: "")
      }
    }
    if lines.isEmpty { lines.append("Wikipedia has no article about it that was found. --again searches once more.") }
    return lines.joined(separator: "\n") + "\n"
  }
}

import Client
import Messages
import Model

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
    each: .subjects,
    takes: .flag("--again", help: "search once more; the article that there is stays until then"),
    commands: [chooseArticle, articleSettings],
    through: Client.startingDiscovery
  ) { client, console, subject, isAgain in
    var status = try await client.article(subject)
    let needsSearch = status.article == nil && status.guesses == nil
    if isAgain || (needsSearch && !status.isBeingSearched) {
      let request = Discovery.FindArticle(subject: status.subject, isAgain: isAgain ? true : nil)
      status = try await client.ask(request)
    }
    status = try await client.ended(status, console)
    if let problem = status.problem, isAgain || status.article == nil { throw problem }
    console.print(status.json, text: status.text(console))
  }

  private static let chooseArticle = Command(
    name: "choose", summary: "say which page is about an album or artist",
    discussion: "`lunara article ID` lists the pages that may be right. An article that is wrong goes with “none”.",
    examples: [
      "lunara article choose files:a3 1": "the first of them", "lunara article choose files:a3 none": "none is right",
    ],
    takes: .operands(
      "ID N|none", 2...1000, help: "the album or artist, and the number of the page or none",
      completes: .household(.playables)),
    through: Client.startingDiscovery
  ) { client, console, words in
    let ids = try await client.playables(Array(words.dropLast()))
    guard ids.count == 1 else { throw UsageError("Give one album or artist.") }
    var status = try await client.article(ids[0])
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
    status = try await client.ask(Discovery.ChooseArticle(subject: status.subject, page: page))
    status = try await client.ended(status, console)
    if let problem = status.problem { throw problem }
    let text = page == nil ? "No article is shown about it.\n" : status.text(console)
    console.print(status.json, text: text)
  }

  private static let articleSettings = Command(
    name: "settings", summary: "whether articles are read at Wikipedia, and in which languages",
    discussion: "Articles that were read are kept when they are switched off.",
    examples: [
      "lunara article settings": "what is set, and what leaves the house",
      "lunara article settings on --languages de,en": "in German, else in English",
      "lunara article settings off": "nothing is asked any more",
    ],
    takes: .text(
      "--languages", "LIST", help: "up to 5 languages of Wikipedia, the one that you like best first, such as de,en"),
    .onOff(help: "whether articles are read"),
    through: Client.startingDiscovery
  ) { client, console, languages, isOn in
    let languages = languages?.split(separator: ",").map(String.init)
    let isChange = isOn != nil || languages != nil
    let settings =
      try await isChange
      ? client.ask(Discovery.SetArticles(isOn: isOn, languages: languages))
      : client.ask(Discovery.ReadArticleSettings())
    let table = Table([
      [.init("articles"), .strong(settings.isOn ? "on" : "off")],
      [.init("languages"), .strong(settings.languages.joined(separator: ", "))],
      [.init("articles kept"), .strong("\(settings.kept)")],
    ])
    console.print(settings.json, table, ifEmpty: "")
    console.remark(settings.sends)
  }
}

extension Parameter {
  fileprivate static var subjects: Parameter<[PlayableID]> {
    items("album or artist", .playables, help: "the id of the album or artist, or the title") { words, client in
      try await client.playables([words.joined(separator: " ")])[0]
    }
  }
}

extension Client {
  /// Reads the article about an album or artist: about the album where an id is that of both. The library may be read
  /// for the first time, which is waited for.
  fileprivate func article(_ id: PlayableID) async throws -> Discovery.ArticleStatus {
    let album = Discovery.ArticleSubject(album: AlbumID(source: id.source, native: id.native))
    do { return try await ask(Discovery.ReadArticle(subject: album), within: .seconds(12)) } catch let error
      as LunaraError
      where error.code == "discovery.unknownAlbum"
    {
      let artist = Discovery.ArticleSubject(artist: ArtistID(source: id.source, native: id.native))
      return try await ask(Discovery.ReadArticle(subject: artist), within: .seconds(12))
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
      status = try await ask(Discovery.ReadArticle(subject: status.subject))
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

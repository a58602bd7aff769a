import Messages
import Text

/// Decides by names which of the pages that a search found is about an album or artist. A page counts as found only if
/// nothing else can be meant; in doubt it is a guess, of which a person chooses.
struct NameMatch {
  let topic: ArticleTopic
  /// The titles of the artist's albums in the house; empty for an album.
  let albums: [String]

  /// The degrees to which a page may be right.
  enum Degree: Hashable {
    /// It has exactly the name, is about music, and its text names the artist, or for an artist one of their albums
    /// whose title is no single word.
    case sure
    /// It has exactly the name, and is about music.
    case exact
    /// It is about music, and has the name in its title.
    case near
    case unlikely
  }

  /// Returns the degree to which a page may be right.
  func degree(of page: WikiPage) -> Degree {
    guard !page.isDisambiguation, !page.paragraphs.isEmpty else { return .unlikely }
    let name = topic.title ?? topic.artist
    let about = page.about ?? String((page.paragraphs.first ?? "").prefix(200))
    guard topic.title == nil ? MusicWords.sayArtist(about) : MusicWords.sayAlbum(about) else { return .unlikely }
    guard Self.plain(page.title) == Self.plain(name) || hasFittingSuffix(page.title, name) else {
      let isNear = page.title.matchingForm.contains(name.matchingForm) && !name.matchingForm.isEmpty
      return isNear ? .near : .unlikely
    }
    let text = ([page.about ?? ""] + page.paragraphs).joined(separator: " ")
    let proofs =
      topic.title == nil
      ? albums.filter { Self.plain($0) != Self.plain(name) && Self.isTelling($0) } : [topic.artist]
    return proofs.contains { Self.names(text, $0) } ? .sure : .exact
  }

  /// Returns true if a title is the name with a suffix in parentheses that fits: `Air (French band)` for an artist, and
  /// `Blue (Joni Mitchell album)` for an album of Joni Mitchell only.
  private func hasFittingSuffix(_ title: String, _ name: String) -> Bool {
    guard title.hasSuffix(")"), let start = title.lastIndex(of: "("),
      Self.plain(String(title[..<start]).trimmed) == Self.plain(name)
    else { return false }
    let suffix = String(title[title.index(after: start)...].dropLast())
    guard topic.title != nil else { return MusicWords.sayArtist(suffix) }
    guard MusicWords.sayAlbum(suffix) else { return false }
    let rest = TagFolding.fold(suffix).split(separator: " ").filter { word in
      !MusicWords.isOfAlbum(word) && !(word.utf8.count == 4 && word.utf8.allSatisfy { (48...57).contains($0) })
    }
    return rest.isEmpty || rest.joined(separator: " ") == TagFolding.fold(topic.artist)
  }

  /// Returns a name as it is compared: without case, and with the plain forms of apostrophes and dashes.
  static func plain(_ text: String) -> String {
    text.caseFolded.replacing("’", with: "'").replacing("‐", with: "-").replacing("–", with: "-").trimmed
  }

  /// Returns true for the title of an album that a text has for no other reason. A single word such as `Live` may be in
  /// any text; in scripts without blanks between words, titles look like one.
  private static func isTelling(_ title: String) -> Bool {
    title.trimmed.contains(" ") || title.unicodeScalars.contains { $0.value >= 0x2E80 }
  }

  /// Returns true if a text has a name in it, as whole words.
  private static func names(_ text: String, _ name: String) -> Bool {
    let folded = TagFolding.fold(name)
    guard !folded.isEmpty else { return text.contains(name) }
    // Scripts without blanks between words have no whole words to look for.
    if folded.unicodeScalars.contains(where: { $0.value >= 0x2E80 }) { return TagFolding.fold(text).contains(folded) }
    return " \(TagFolding.fold(text)) ".contains(" \(folded) ")
  }
}

/// The words by which a description says that a page is about an album or an artist.
enum MusicWords {
  private static let album: Set<String> = [
    "album", "albums", "ep", "lp", "soundtrack", "mixtape", "musikalbum", "studioalbum", "livealbum",
    "soundtrackalbum", "kompilation", "compilation", "debutalbum", "konzeptalbum", "minialbum", "doppelalbum",
  ]
  /// The words beside `album` in a suffix.
  private static let ofAlbum: Set<String> = ["live", "studio", "extended", "play", "compilation", "double", "mini"]
  private static let song: Set<String> = [
    "song", "single", "lied", "chanson", "cancion", "canzone", "nummer", "piosenka", "discography", "diskografie",
  ]
  /// Words for musicians whose beginnings other words have too, such as `bandit` and `chord`.
  private static let wholeArtist: Set<String> = [
    "band", "bands", "banda", "chor", "chorus", "dj", "djs", "duo", "duos", "trio", "trios",
  ]
  /// The beginnings of words for musicians, in the languages that use Latin letters.
  private static let artist = [
    "musi", "muzi", "muzy", "singer", "songwriter", "sanger", "rapper", "rappeu", "composer", "compositeur",
    "compositor", "compositric", "komponist", "chanteu", "cantant", "cantor", "cantautor", "zanger", "pianist",
    "guitarist", "gitarrist", "drummer", "bassist", "violinist", "cellist", "trumpeter", "saxophonist", "saxofon",
    "choir", "conductor", "dirigent", "orchest", "orquest", "ensemble", "chorleit", "producer", "produzent",
    "producteur", "quartet", "quintet", "vocalist", "zespol", "grupo", "gruppo", "groupe", "bandleader", "bandoneon",
    "liedermacher", "soprano", "tenor",
  ]
  /// Words for works, and others that begin or end like a word for musicians.
  private static let noArtist: Set<String> = [
    "musicals", "musicology", "musicologist", "musikfestival", "musikfilm", "musikgenre", "musiklabel",
    "musikrichtung", "musikstuck", "musiktheater", "musikverlag", "musikwissenschaft", "musikwissenschaftler",
    "musikzeitschrift", "muzikaal", "orchestration", "armband", "broadband", "contraband", "einband", "headband",
    "husband", "verband", "wristband",
  ]
  /// Words for music, which say nothing about musicians unless one of `withMusic` is beside them.
  private static let music: Set<String> = [
    "music", "musical", "musica", "musicale", "musik", "musique", "muziek", "muzyka", "musikalisch",
  ]
  private static let withMusic: Set<String> = [
    "group", "act", "artist", "artists", "project", "collective", "performer",
  ]
  private static let artistEnds = ["band", "sanger", "sangerin", "musiker", "musikerin", "rockgruppe", "popgruppe"]
  private static let otherAlbum = ["アルバム", "альбом", "专辑", "專輯", "앨범", "אלבום", "ألبوم"]
  private static let otherArtist = [
    "音楽", "バンド", "歌手", "музык", "группа", "певец", "певица", "композитор", "乐队", "樂團", "가수", "밴드",
  ]

  /// Returns true if a description is one of an album.
  static func sayAlbum(_ text: String) -> Bool {
    let words = TagFolding.fold(text).split(separator: " ").map(String.init)
    guard !words.contains(where: song.contains) else { return false }
    return words.contains { album.contains($0) || $0.hasSuffix("album") } || otherAlbum.contains { text.contains($0) }
  }

  /// Returns true if a description is one of a musician or a group, and not of their works.
  static func sayArtist(_ text: String) -> Bool {
    let words = TagFolding.fold(text).split(separator: " ").map(String.init)
    guard !sayAlbum(text), !words.contains(where: song.contains) else { return false }
    return words.contains(where: isArtist)
      || (words.contains(where: music.contains) && words.contains(where: withMusic.contains))
      || otherArtist.contains { text.contains($0) }
  }

  private static func isArtist(_ word: String) -> Bool {
    guard !noArtist.contains(word), !music.contains(word) else { return false }
    return wholeArtist.contains(word) || artist.contains { word.hasPrefix($0) }
      || artistEnds.contains { word.hasSuffix($0) }
  }

  /// Returns true for a word that says that something is an album, and no more.
  static func isOfAlbum(_ word: some StringProtocol) -> Bool {
    let word = String(word)
    return album.contains(word) || ofAlbum.contains(word) || word.hasSuffix("album")
  }
}

// Generated from Library+Lyrics.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ReadLyrics {
  public init(id: TrackID, _: Void = ()) { self.id = id }
}

extension Library.Lyrics {
  public init(source: Library.LyricsSource, lines: [Library.LyricsLine], language: String? = nil, _: Void = ()) {
    self.source = source
    self.lines = lines
    self.language = language
  }
}

extension Library.LyricsLine {
  public init(start: Milliseconds? = nil, text: String, _: Void = ()) {
    self.start = start
    self.text = text
  }
}

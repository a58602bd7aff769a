// Generated from TagReading+Lyrics.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension TagReading.Lyrics {
  public init(language: String, text: String, _: Void = ()) {
    self.language = language
    self.text = text
  }
}

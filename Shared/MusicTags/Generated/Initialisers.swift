// Generated from Shared/MusicTags by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
package import Model

extension DateTags {
  package init(
    date: String? = nil, year: String? = nil, release: String? = nil, original: String? = nil,
    originalYear: String? = nil, _: Void = ()
  ) {
    self.date = date
    self.year = year
    self.release = release
    self.original = original
    self.originalYear = originalYear
  }
}

extension CreditTag {
  package init(role: CreditRole, name: String, sort: String? = nil, instrument: String? = nil, _: Void = ()) {
    self.role = role
    self.name = name
    self.sort = sort
    self.instrument = instrument
  }
}

extension TaggedArtist {
  package init(name: String, sort: String? = nil, id: String? = nil, isWhole: Bool = false, _: Void = ()) {
    self.name = name
    self.sort = sort
    self.id = id
    self.isWhole = isWhole
  }
}

extension TaggedCredit {
  package init(artist: TaggedArtist, role: CreditRole, instrument: String? = nil, _: Void = ()) {
    self.artist = artist
    self.role = role
    self.instrument = instrument
  }
}

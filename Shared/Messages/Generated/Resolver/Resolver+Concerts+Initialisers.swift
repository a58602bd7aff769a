// Generated from Resolver+Concerts.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Resolver.Concert.Ticket {
  public init(plugin: Resolver.PluginName, url: String, _: Void = ()) {
    self.plugin = plugin
    self.url = url
  }
}

extension Resolver.Concert {
  public init(
    artist: String, title: String? = nil, date: String, time: String? = nil, venue: String? = nil, city: String? = nil,
    region: String? = nil, country: String? = nil, latitude: Double? = nil, longitude: Double? = nil,
    lineup: [String] = [], tickets: [Ticket] = [], url: String? = nil, _: Void = ()
  ) {
    self.artist = artist
    self.title = title
    self.date = date
    self.time = time
    self.venue = venue
    self.city = city
    self.region = region
    self.country = country
    self.latitude = latitude
    self.longitude = longitude
    self.lineup = lineup
    self.tickets = tickets
    self.url = url
  }
}

extension Resolver.ListConcerts {
  public init(artist: String? = nil, _: Void = ()) { self.artist = artist }
}

extension Resolver.ConcertList {
  public init(
    concerts: [Resolver.Concert], artists: Int, waiting: Int = 0, failures: [Resolver.PluginFailure] = [], _: Void = ()
  ) {
    self.concerts = concerts
    self.artists = artists
    self.waiting = waiting
    self.failures = failures
  }
}

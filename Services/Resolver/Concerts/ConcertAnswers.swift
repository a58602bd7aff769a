import Messages
import Model
import Plugins
import Text

/// Reads the concerts that plugins give, and joins those that several of them know.
enum ConcertAnswers {
  /// The most concerts that are read of one artist.
  private static let limit = 100
  /// The most artists of one concert.
  private static let lineupLimit = 30
  /// The width of the grid in degrees within which two places are one: two kilometres from north to south.
  private static let grid = 0.02
  /// The number of letters by which names of places are compared.
  private static let venueLetters = 20

  /// Reads a list of concerts. Those without a date are left out.
  static func concerts(_ value: PluginValue, of artist: String, from plugin: Resolver.PluginName) -> [Resolver.Concert]
  {
    value.elements.prefix(limit).compactMap { concert($0, of: artist, from: plugin) }
  }

  private static func concert(
    _ value: PluginValue, of artist: String, from plugin: Resolver.PluginName
  ) -> Resolver.Concert? {
    let moment = value["datetime"]?.string ?? ""
    guard let date = day(value["date"]?.string ?? "") ?? day(moment) else { return nil }
    let venue = value["venue"]
    let title = SourceAnswers.text(value["title"])
    let tickets = SourceAnswers.address(value["ticketUrl"]).map { [Resolver.Concert.Ticket(plugin: plugin, url: $0)] }
    return Resolver.Concert(
      artist: artist, title: title == artist ? nil : title, date: date, time: clock(moment),
      venue: SourceAnswers.text(venue?["name"]), city: SourceAnswers.text(venue?["city"]),
      region: SourceAnswers.text(venue?["region"]), country: SourceAnswers.text(venue?["country"]),
      latitude: degrees(venue?["latitude"], 90), longitude: degrees(venue?["longitude"], 180),
      lineup: (value["lineup"]?.elements ?? []).prefix(lineupLimit).compactMap { SourceAnswers.text($0) },
      tickets: tickets ?? [], url: SourceAnswers.address(value["url"]))
  }

  /// Joins the concerts of an artist on one day at one place, with the tickets of all, and sorts them by date.
  ///
  /// - Parameter today: the day from which on concerts are returned, such as `2026-11-24`.
  static func merged(_ concerts: [Resolver.Concert], from today: String) -> [Resolver.Concert] {
    var joined: [Resolver.Concert] = []
    for concert in concerts where concert.date >= today {
      guard let index = joined.firstIndex(where: { isSame($0, concert) }) else {
        joined.append(concert)
        continue
      }
      let more = concert.tickets.filter { ticket in !joined[index].tickets.contains { $0.url == ticket.url } }
      joined[index].tickets += more
      joined[index].time = joined[index].time ?? concert.time
      joined[index].url = joined[index].url ?? concert.url
    }
    return joined.sorted { ($0.date, $0.time ?? "", $0.artist) < ($1.date, $1.time ?? "", $1.artist) }
  }

  private static func isSame(_ one: Resolver.Concert, _ other: Resolver.Concert) -> Bool {
    guard one.date == other.date, one.artist.matchingForm == other.artist.matchingForm else { return false }
    let venues = [one, other].map { ($0.venue ?? "").matchingForm.prefix(venueLetters) }
    if !venues[0].isEmpty, venues[0] == venues[1] { return true }
    guard let latitude = one.latitude, let longitude = one.longitude, let north = other.latitude,
      let east = other.longitude
    else { return false }
    return abs(latitude - north) <= grid && abs(longitude - east) <= grid
  }

  /// Returns the day at the beginning of a text such as `2027-03-01T20:00`; nil for what is none.
  private static func day(_ text: String) -> String? {
    let day = text.prefix(10)
    let parts = day.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let month = Int(parts[1]), let date = Int(parts[2]), (1...12).contains(month), (1...31).contains(date)
    else { return nil }
    return String(day)
  }

  /// Returns the time of a text such as `2027-03-01T20:00:00`; nil if it has none, or midnight, which means that.
  private static func clock(_ text: String) -> String? {
    let time = text.dropFirst(11).prefix(5)
    let parts = time.split(separator: ":").compactMap { Int($0) }
    guard time.count == 5, parts.count == 2, (0...23).contains(parts[0]), (0...59).contains(parts[1]), parts != [0, 0]
    else { return nil }
    return String(time)
  }

  private static func degrees(_ value: PluginValue?, _ most: Double) -> Double? {
    value?.number.flatMap { abs($0) <= most ? $0 : nil }
  }
}

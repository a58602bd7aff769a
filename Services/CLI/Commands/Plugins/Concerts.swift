import Client
import Messages
import Model

extension Option {
  fileprivate static let near = Option("--near", "LAT,LON", help: "only those near this place, in degrees")
  fileprivate static let within = Option("--within", "KM", help: "with --near: how near, 50 km if it is not given")
  fileprivate static let months = Option("--months", "N", help: "only those of the next N months")
}

extension Command {
  static let concerts = Command(
    name: "concerts", summary: "concerts of the artists that you play, as plugins find them",
    discussion: """
      The names of the 50 artists that were heard most in the last six months are sent to the hosts of the plugins that
      find concerts, at most once a day. `lunara plugins` lists them; concerts.axe of the examples is one.
      """,
    examples: [
      "lunara concerts": "the next ones first", "lunara concerts --in Graz": "in one city",
      "lunara concerts --near 47.07,15.44 --within 100 --months 3": "near you, soon",
      "lunara concerts --artist \"Nova Kessler\"": "of one artist",
    ],
    takes: .text("--artist", "NAME", help: "of this artist, also one that was not heard"),
    .text("--in", "PLACE", help: "only those whose city, region or country is this"),
    Parameter(.near, .within, .months) { try $0.concertFilter() },
    through: Client.withPlugins
  ) { client, console, artist, city, filter in
    let request = Resolver.ListConcerts(artist: artist)
    var list = try await client.ask(request, within: .seconds(65))
    // The first answer of a day is asked for while one waits, for a minute at most.
    let end = ContinuousClock.now + .seconds(60)
    while list.waiting > 0, ContinuousClock.now < end {
      console.remark("Plugins are being asked for \(list.waiting) artists …")
      try await Task.sleep(for: .seconds(2))
      list = try await client.ask(request, within: .seconds(65))
    }
    if let place = city?.lowercased() {
      list.concerts.removeAll { concert in
        ![concert.city, concert.region, concert.country].contains { $0?.lowercased() == place }
      }
    }
    let nearby = filter.apply(to: list, today: "\(Timestamp.now())")
    console.print(nearby.json, nearby.table, ifEmpty: "No concert was found.")
    if nearby.unplaced > 0 {
      console.remark(
        "\(Printable.count(nearby.unplaced, "concert")) more: plugins do not say where exactly. --in PLACE finds them."
      )
    }
    for failure in list.failures {
      console.remark("\(failure.plugin.name): \(failure.error.cause ?? failure.error.message)")
    }
  }
}

extension Arguments {
  /// Returns the wish for concerts near a place, and within some months. The place stays here.
  fileprivate func concertFilter() throws -> ConcertFilter {
    var filter = ConcertFilter()
    if let text = value(.near) {
      guard let place = ConcertFilter.Place(text) else {
        throw UsageError("--near is a latitude and a longitude in degrees, such as 47.07,15.44, not “\(text)”.")
      }
      filter.near = place
    }
    if let within = try integer(.within, in: 1...ConcertFilter.mostKilometres) {
      guard filter.near != nil else { throw UsageError("--within goes with --near.") }
      filter.within = Double(within)
    }
    filter.months = try integer(.months, in: 1...ConcertFilter.mostMonths)
    return filter
  }
}

extension NearbyConcerts {
  /// The concerts, with their distances where a place was given.
  fileprivate var table: Table {
    Table(
      zip(list.concerts, distances).map { concert, distance in
        concert.cells + (distance.map { [.number("\(Int($0.rounded())) km")] } ?? [])
      })
  }
}

extension Resolver.Concert {
  fileprivate var cells: [Table.Cell] {
    [
      .init(date), .faint(time ?? ""), .strong(artist), .init(venue ?? ""),
      .init([city, country].compactMap(\.self).joined(separator: ", ")), .faint(tickets.first?.url ?? url ?? ""),
    ]
  }
}

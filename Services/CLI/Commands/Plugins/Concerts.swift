import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let concertsOf = Option("--artist", "NAME", help: "of this artist, also one that was not heard")
  fileprivate static let city = Option("--in", "PLACE", help: "only those whose city, region or country is this")
}

extension Command {
  static let concerts = Command(
    name: "concerts", summary: "concerts of the artists that you play, as plugins find them",
    discussion: """
      The names of the 50 artists that were heard most in the last six months are sent to the hosts of the plugins that
      find concerts, at most once a day. `lunara plugins` lists them; docs/plugins/concerts.axe is one.
      """,
    examples: [
      "lunara concerts": "the next ones first", "lunara concerts --in Graz": "near you",
      "lunara concerts --artist \"Nova Kessler\"": "of one artist",
    ],
    options: [.concertsOf, .city],
    action: .asynchronous { context in
      let client = try await Client.withPlugins(context)
      let request = Resolver.ListConcerts(artist: context.arguments.value(.concertsOf))
      var list = try await client.ask(request, of: .resolver, within: .seconds(65))
      // The first answer of a day is asked for while one waits, for a minute at most.
      let end = ContinuousClock.now + .seconds(60)
      while list.waiting > 0, ContinuousClock.now < end {
        context.console.note("Plugins are being asked for \(list.waiting) artists …")
        try await Task.sleep(for: .seconds(2))
        list = try await client.ask(request, of: .resolver, within: .seconds(65))
      }
      if let place = context.arguments.value(.city)?.lowercased() {
        list.concerts.removeAll { concert in
          ![concert.city, concert.region, concert.country].contains { $0?.lowercased() == place }
        }
      }
      context.console.print(list.json, Table(list.concerts), ifEmpty: "No concert was found.")
      for failure in list.failures {
        context.console.note("\(failure.plugin.name): \(failure.error.cause ?? failure.error.message)")
      }
    })
}

extension Resolver.Concert: TableRow {
  var row: [Table.Cell] {
    [
      .init(date), .faint(time ?? ""), .strong(artist), .init(venue ?? ""),
      .init([city, country].compactMap(\.self).joined(separator: ", ")), .faint(tickets.first?.url ?? url ?? ""),
    ]
  }
}

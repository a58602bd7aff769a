import Bus
import Foundation
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// Concerts that plugins find.
@Suite struct ConcertTests {
  private func concert(
    _ artist: String, _ date: String, venue: String? = nil, at place: (Double, Double)? = nil, ticket: String? = nil
  ) -> Resolver.Concert {
    let plugin = Resolver.PluginName(id: "p", name: "P")
    return Resolver.Concert(
      artist: artist, date: date, venue: venue, latitude: place?.0, longitude: place?.1,
      tickets: ticket.map { [.init(plugin: plugin, url: $0)] } ?? [])
  }

  @Test func oneConcertOfSeveralServicesIsOneWithTheTicketsOfAll() {
    let merged = ConcertAnswers.merged(
      [
        concert("Ada", "2027-03-02", venue: "Hall"),
        concert("Ada", "2027-03-01", venue: "The Große Halle of Graz City, Upper Floor", ticket: "https://a.example"),
        concert("ADA", "2027-03-01", venue: "the grosse halle", at: (47.07, 15.43)),
        concert("Ada", "2027-03-01", venue: "THE GROßE HALLE OF GRAZ CITY – entrance B", ticket: "https://b.example"),
        concert("Ada", "2027-03-01", venue: "Dom im Berg", at: (47.075, 15.435), ticket: "https://c.example"),
        concert("Ben", "2027-03-01", venue: "The Große Halle of Graz"), concert("Ada", "2026-11-23", venue: "Gone"),
      ], from: "2026-11-24")
    #expect(merged.map(\.date) == ["2027-03-01", "2027-03-01", "2027-03-01", "2027-03-02"])
    #expect(
      merged.map(\.artist) == ["ADA", "Ada", "Ben", "Ada"] || merged.map(\.artist) == ["Ada", "ADA", "Ben", "Ada"])
    // By the first twenty letters of the place, or within the grid of two kilometres.
    let tickets = merged.map { $0.tickets.map(\.url) }
    #expect(tickets.contains(["https://a.example", "https://b.example"]) && tickets.contains(["https://c.example"]))
  }

  @Test func whatAPluginSaysOfAConcertIsChecked() throws {
    let text = #"""
      [{"datetime":"2027-03-01T20:30:00","title":"Ada","venue":{"name":"Hall\u0007","latitude":"91","longitude":"15"},
        "lineup":["Ada",7],"ticketUrl":"javascript:alert(1)","url":"https://c.example/1"},
       {"date":"2027-13-01"},{"date":"tomorrow"},{"datetime":"2027-03-02T00:00:00"},7]
      """#
    let value = try #require(PluginValue(json: Array(text.utf8)))
    let found = ConcertAnswers.concerts(value, of: "Ada", from: .init(id: "p", name: "P"))
    #expect(found.map(\.date) == ["2027-03-01", "2027-03-02"] && found.map(\.time) == ["20:30", nil])
    let first = try #require(found.first)
    #expect(first.title == nil && first.venue == "Hall" && first.latitude == nil && first.longitude == 15)
    #expect(first.lineup == ["Ada"] && first.tickets.isEmpty && first.url == "https://c.example/1")
  }

  @Test func theArtistsThatWereHeardAreAskedOnceADayAndFiveAtATime() async throws {
    let asked = Mutex([String]())
    let resolver = try await TestResolver { request in
      asked.withLock { $0.append(request.path) }
      return (200, #"[{"date":"2999-01-01","venue":{"name":"Hall","city":"Graz"}}]"#)
    }
    #expect(await resolver.refusal(of: Resolver.ListConcerts())?.code == "resolver.noConcerts")
    let library = try await resolver.bus.node("library@main")
    await library.serve(Library.CountPlays.self) { request, _ in
      #expect(request.by == .artist && request.filter.since != nil)
      return Library.PlayCounts(
        rows: (1...12).map {
          .init(key: "files:r\($0)", title: "Artist \($0)", plays: 13 - $0, skips: 0, lastPlayedAt: nil)
        })
    }
    try await resolver.install(
      "shows",
      ["searchArtistEvents": "async (name, config) => (await fetch(config.server + '/' + encodeURI(name))).json()"])
    let first = try await resolver.ask(Resolver.ListConcerts())
    #expect(first.concerts.isEmpty && first.waiting == 12)
    #expect(
      try await eventually {
        let list = try await resolver.ask(Resolver.ListConcerts())
        return list.waiting == 0 && list.concerts.count == 12 && list.artists == 12
      })
    #expect(asked.withLock { Set($0).count } == 12 && asked.withLock { $0.count } == 12)
    // An artist who was not heard is asked for at once.
    let one = try await resolver.ask(Resolver.ListConcerts(artist: "Nobody"))
    #expect(one.concerts.map(\.artist) == ["Nobody"] && one.concerts.first?.city == "Graz")
    await library.close()
    await resolver.close()
  }
}

import Messages
import Model
import TestSupport
import Testing

/// People write other programs by the pages of the protocol, which are generated from the types: they must describe the
/// messages as they are on the wire.
@Suite struct ProtocolTests {
  let described: ProtocolPage

  init() throws { described = try ProtocolPage() }

  private struct Keys: Decodable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    let names: Set<String>
    init(from decoder: any Decoder) throws {
      names = Set(try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue))
    }
  }

  private func fields(of text: String) throws -> Set<String> {
    try MessageCoding.decode(Keys.self, from: text.utf8).names
  }

  private var messages: [String: ProtocolPage.Section] { described.sections.filter { !$0.value.delivery.isEmpty } }

  @Test func everyMessageInTheSourcesIsOnThePageAndTheOtherWayRound() throws {
    var kinds: Set<String> = []
    for source in try sources(in: "Shared/Messages") + sources(in: "Shared/Bus") {
      for match in source.matches(of: /static let kind = "([a-z.-]+)"/) { kinds.insert(String(match.1)) }
    }
    #expect(kinds.count > 25)
    #expect(Set(messages.keys) == kinds)
    #expect(Set(MessageTests.goldens.map(\.kind)) == kinds.filter { !$0.hasPrefix("bus.") })
  }

  @Test(arguments: Set(MessageTests.goldens.map(\.kind)).sorted())
  func aMessageIsDescribedAsItIs(kind: String) throws {
    let section = try #require(messages[kind])
    let goldens = MessageTests.goldens.filter { $0.kind == kind }
    let first = try #require(goldens.first)
    #expect(section.delivery == (first.isCommand ? "command" : first.delivery.rawValue))
    #expect(section.topic.replacing("ROOM", with: "main") == first.topic)
    let own = try goldens.filter { !$0.isAnswer }.map { try fields(of: $0.text) }
    // The golden messages of a kind together contain every field.
    if !own.isEmpty { #expect(section.fields == own.reduce([]) { $0.union($1) }) }
    guard first.delivery == .request, !section.namesItsAnswer else { return }
    #expect(section.answerFields == (try goldens.filter(\.isAnswer).reduce([]) { $0.union(try fields(of: $1.text)) }))
  }

  @Test func everyErrorItNamesIsExplained() throws {
    let errors = try page("errors")
    let codes = described.text.matches(
      of: /`((?:bus|discovery|library|playback|plugin|resolver|router|scrobble)\.[a-z]+[A-Z][A-Za-z]*)`/)
    #expect(codes.count > 20)
    for code in Set(codes.map { String($0.1) }) { #expect(errors.contains("`\(code)`"), "\(code)") }
  }

  @Test func theValuesAreDescribedAsTheyAre() throws {
    func check(_ name: String, _ values: any Encodable...) throws {
      let section = try #require(described.sections[name])
      var found: Set<String> = []
      for value in values {
        found.formUnion(try fields(of: String(decoding: try MessageCoding.encode(value), as: UTF8.self)))
      }
      #expect(section.fields == found, "\(name)")
    }
    try check("Album", Samples.album, Samples.ratedAlbum, Samples.edition)
    try check("Artist", Samples.artist, Samples.picturedArtist)
    try check("Track", Samples.track, Samples.measuredTrack, Samples.sideTrack, Samples.movement)
    try check("Credit", Samples.credit)
    try check("Tag", Samples.tags[1])
    try check("Work entry", Samples.work)
    try check("Collection", Samples.collection)
    try check("Playlist", Samples.playlist)
    try check("Playlist entry", Samples.playlistEntry)
    try check("Described track", Samples.described, Samples.chosenTrack)
    try check("Play", Samples.play)
    try check("Queue item", Samples.item, Samples.segmentItem, Samples.describedItem)
    try check("Audio segment", Samples.segment)
    try check("Listen subject", Samples.placedSubject)
    try check("Error", Samples.failure)
    try check("Modes", Samples.modes, Playback.Modes(stopsAfterAlbum: true))
    try check("Continuation", Samples.continuation, Samples.keptContinuation)
    try check("Moved", Samples.moved)
    try check(
      "Album list",
      Library.AlbumList(
        sort: .random, seed: 1, tag: Library.Tag(kind: .genre, name: ""), tags: [], isReversed: true,
        artist: Samples.artist.id, collection: Samples.collection.id, albums: [],
        wall: .init(seed: 7, dial: 3, first: 100)))
    try check("Wall name", Samples.wallName)
    try check("Tile", Samples.tile, Samples.missingTile)
    try check("Missing album", Samples.missingAlbum)
    try check("Theme", Samples.theme)
    try check(
      "Locator", Library.Locator.file(LocalPath("/a")),
      Library.Locator.url(
        "b", headers: [:], expiresIn: .zero, segment: Samples.segment, plugin: .init(id: "p", name: "P")))
    try check(
      "Source status",
      Library.SourceStatus(
        name: "", kind: "", health: "", lastRefreshed: Samples.moment, albums: 0, tracks: 0, problemCount: 0,
        problems: [], progress: .init(done: 0, total: 1), address: "a", method: "full", runs: [], unused: 0,
        ignored: 0))
    try check(
      "Source detail",
      Library.SourceDetail(status: Samples.awaySource, isFromSettings: true, account: "a", sections: []))
    try check("Source kind", Library.SourceKind(kind: "k", title: "t", hint: "h"))
  }
}

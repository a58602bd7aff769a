import Model
import Plugins
import Testing

@Suite struct SourceChoiceTests {
  private let wanted = DescribedTrack(title: "Creep", artist: "Radiohead", duration: Milliseconds(238_000))

  private func source(
    _ plugin: String, _ confidence: Double = 0.95, id: String? = nil, title: String = "Creep", seconds: Int64? = nil
  ) -> TrackSource {
    TrackSource(
      plugin: plugin, title: title, artist: "Radiohead", duration: seconds.map { Milliseconds($0 * 1000) },
      ids: id.map { ["id": $0] } ?? [:], confidence: confidence)
  }

  @Test func thePersonsOrderDecidesAndThenTheConfidence() {
    let choice = SourceChoice(enabled: ["a", "b", "c", "d"], order: ["b", "a"])
    let sources = [source("c", 0.95), source("d", 1), source("a", 1), source("b", 0.95)]
    let ranked = choice.rank(sources, for: wanted)
    #expect(ranked.map(\.source.plugin) == ["b", "a", "d", "c"])
    #expect(ranked.map(\.rank) == [1, 2, 3, 4] && ranked.map(\.reason) == [.order, .order, .confidence, .confidence])
    #expect(choice.choose(sources, for: wanted, preferred: "c")?.plugin == "c")
    #expect(choice.choose([], for: wanted) == nil)
  }

  @Test func whatIsNoMatchOrBlockedOrOffIsNotUsed() throws {
    let blocked = source("b", id: "7")
    var choice = SourceChoice(enabled: ["a", "b"], order: ["a", "b"])
    choice.blocked = [try #require(BlockedSource(blocked, for: wanted))]
    let sources = [source("a", 0.5), blocked, source("off", 1), source("b", id: "8")]
    let ranked = choice.rank(sources, for: wanted)
    #expect(ranked.map(\.rank) == [1, nil, nil, nil])
    #expect(ranked.map(\.reason) == [.order, .belowFloor, .blocked, .disabled])
    #expect(ranked[0].source.sourceID == "8")
    // The block is for this track only, however it is written.
    let shouted = DescribedTrack(title: " CREEP", artist: "radiohead ")
    #expect(choice.rank([blocked], for: shouted)[0].rank == nil)
    #expect(choice.rank([blocked], for: DescribedTrack(title: "Lucky", artist: "Radiohead"))[0].rank == 1)
  }

  @Test func aBadgeThatIsPressedComesBeforeEverything() throws {
    let bad = source("b", 0.5, id: "7")
    var choice = SourceChoice(enabled: ["a"], order: ["a"])
    choice.blocked = [try #require(BlockedSource(bad, for: wanted))]
    let ranked = choice.rank([source("a", 1), bad], for: wanted, preferred: "a", chosen: "b")
    #expect(ranked.map(\.reason) == [.chosen, .preferred] && ranked[0].rank == 1)
  }

  @Test func ofOnePluginsHitsTheSameNamesCountBeforeTheLength() {
    let hits = [
      source("a", title: "Creep (Live)", seconds: 238), source("a", seconds: 300), source("a", id: "1", seconds: 240),
      source("a", id: "2", seconds: 236), source("a", 0.5, title: "Lucky", seconds: 238),
    ]
    #expect(TrackSource.best(of: hits, for: wanted)?.sourceID == "1")
    #expect(TrackSource.best(of: [hits[4]], for: wanted) == hits[4])
    #expect(TrackSource.best(of: [], for: wanted) == nil)
    let noLength = DescribedTrack(title: "Creep", artist: "Radiohead")
    #expect(TrackSource.best(of: hits, for: noLength) == hits[1])
  }

  @Test func aHitThatIsTheWrongSongGivesWayToTheNextOne() throws {
    let hits = [source("a", id: "1"), source("a", id: "2", title: "Creep (Live)"), source("a", 0.5, id: "3")]
    let blocked: Set = [try #require(BlockedSource(hits[0], for: wanted))]
    #expect(TrackSource.best(of: hits, for: wanted, blocked: blocked)?.sourceID == "2")
    #expect(TrackSource.best(of: [hits[0]], for: wanted, blocked: blocked) == hits[0])
  }

  @Test func aSourceOfSoundCloudIsBlockedByItsIDAndByItsAddress() throws {
    func found(_ ids: [String: String]) -> TrackSource {
      TrackSource(plugin: "soundcloud", title: "Creep", artist: "Radiohead", ids: ids, confidence: 0.95)
    }
    let both = found(["soundcloudId": "7", "soundcloudUrl": "https://soundcloud.com/a/b", "id": "x"])
    #expect(both.sourceID == "7")
    let names = BlockedSource.Names(of: wanted)
    for id in ["7", "https://soundcloud.com/a/b"] {
      let blocked: Set = [BlockedSource(plugin: "soundcloud", sourceID: id, names: names)]
      #expect(blocked.blocks(both, for: wanted))
      #expect(!blocked.blocks(found(["soundcloudId": "8"]), for: wanted))
    }
    let other: Set = [BlockedSource(plugin: "soundcloud", sourceID: "x", names: names)]
    #expect(!other.blocks(both, for: wanted))
  }

  @Test func aPluginThatIsSwitchedOnFindsItsPlace() {
    #expect(
      PluginOrder.adding("bandcamp", to: ["spotify", "own", "youtube"]) == ["spotify", "own", "bandcamp", "youtube"])
    #expect(PluginOrder.adding("own", to: ["spotify"]) == ["spotify", "own"])
    #expect(PluginOrder.adding("youtube", to: ["own"]) == ["own", "youtube"])
    #expect(PluginOrder.adding("spotify", to: ["youtube", "spotify"]) == ["youtube", "spotify"])
    #expect(PluginOrder.standard.shuffled().reduce([]) { PluginOrder.adding($1, to: $0) } == PluginOrder.standard)
  }

  @Test func whatWasFoundIsKeptForAWhileAndOnlyForTheSamePlugins() {
    func state(_ hours: Int64, kept: Bool = false, now: UInt64 = 1) -> SourceLifetime.State {
      SourceLifetime.state(age: Milliseconds(hours * 3_600_000), isKept: kept, asked: 1, now: now)
    }
    #expect([state(0), state(23), state(24), state(167), state(168)] == [.fresh, .fresh, .aging, .aging, .void])
    #expect(state(168, kept: true) == .aging && state(720, kept: true) == .void && state(0, now: 2) == .void)
    let mark = SourceLifetime.mark(enabled: ["a", "b"], order: ["a", "b"])
    #expect(mark == SourceLifetime.mark(enabled: ["b", "a"], order: ["a", "b"]))
    #expect(mark != SourceLifetime.mark(enabled: ["a", "b"], order: ["b", "a"]))
    #expect(mark != SourceLifetime.mark(enabled: ["a"], order: ["a", "b"]))
  }
}

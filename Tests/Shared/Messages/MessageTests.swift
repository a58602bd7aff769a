import Messages
import Model
import Testing

@Suite struct MessageTests {
  static let goldens =
    Golden.library + Golden.catalogue + Golden.finding + Golden.browsing + Golden.history + Golden.ratings
    + Golden.opinions + Golden.playlists + Golden.providers + Golden.providerCalls + Golden.rediscovery
    + Golden.themes + Golden.sources + Golden.playback + Golden.offline + Golden.media
    + Golden.router + Golden.resolver + Golden.asking + Golden.discovery + Golden.outside
    + Golden.reviews + Golden.articles + Golden.garden + Golden.rooms + Golden.moves + Golden.scrobble
    + Golden.deliveries

  @Test(arguments: goldens) func aMessageIsWrittenAsItAlwaysWas(golden: Golden) throws {
    #expect(try golden.encoded() == golden.text)
  }

  @Test(arguments: goldens) func whatAnyVersionWroteIsReadWhole(golden: Golden) throws {
    #expect(try golden.through(golden.text) == golden.text)
  }

  @Test(arguments: goldens) func fieldsOfANewerVersionArePassedOver(golden: Golden) throws {
    #expect(golden.withUnknownFields != golden.text)
    #expect(try golden.through(golden.withUnknownFields) == golden.text)
  }

  @Test func aReasonOfANewerVersionIsUnknownAndAStateKeepsItsName() throws {
    let ended = Playback.ListenEnded(subject: Samples.subject, heard: .zero, reason: .finished)
    let text = String(decoding: try MessageCoding.encode(ended), as: UTF8.self)
    let newer = text.replacing("\"finished\"", with: "\"teleported\"")
    #expect(try MessageCoding.decode(Playback.ListenEnded.self, from: newer.utf8).reason == .unknown)
    // A room stores the list of albums with which its queue continues, also one that a newer library made.
    let tag = #"{"kind":"perfume","name":"ECM"}"#
    #expect(try MessageCoding.decode(Library.Tag.self, from: tag.utf8).kind == .unknown)
    let room = String(decoding: try MessageCoding.encode(Samples.roomState), as: UTF8.self)
    let odd = room.replacing("{\"name\":\"playing\"}", with: "{\"name\":\"humming\"}")
    #expect(try MessageCoding.decode(Playback.RoomState.self, from: odd.utf8).state == .unknown("humming"))
  }

  @Test(arguments: [
    #"{"action":{"name":"levitate"}}"#, #"{"action":{"name":"seek"}}"#, #"{"action":"pause"}"#, #"{"action":{}}"#, "{}",
  ])
  func aCommandThatIsNotUnderstoodIsRefusedAsAWhole(text: String) {
    #expect { _ = try MessageCoding.decode(Playback.Transport.self, from: text.utf8) } throws: {
      ($0 as? LunaraError)?.code == "bus.badPayload"
    }
  }

  @Test func aValueThatJSONCannotHoldIsATypedError() {
    var state = Samples.roomState
    state.position.rate = .nan
    #expect { _ = try MessageCoding.encode(state) } throws: { ($0 as? LunaraError)?.code == "bus.badPayload" }
  }

  @Test func topicsAreTheDomainTheNodeAndTheRestEachEndedByADot() {
    #expect(Playback.RoomState.topic(ofNode: "kitchen") == "playback.kitchen.state.")
    #expect(Library.SyncFinished.topic(ofNode: "main") == "library.main.sync-finished.")
    #expect(Playback.Load.domain == "playback")
  }

  @Test func theClassFollowsFromTheType() {
    let classes = Dictionary(grouping: Self.goldens.filter { !$0.isAnswer }, by: \.delivery).mapValues(\.count)
    #expect(Set(classes.keys) == [.fact, .state, .request])
  }
}

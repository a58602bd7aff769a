import Messages
import Model
import Testing

@testable import lunara_web

@Suite struct BodyTests {
  private func play(_ json: String) throws -> Router.Play {
    try PlayRequestBody.decodeBody(Array(json.utf8)).intent { 7 }
  }

  private func command(_ json: String) throws -> Playback.Transport.Action {
    try TransportRequestBody.decodeBody(Array(json.utf8)).command()
  }

  @Test func anIntentIsReadWithItsDefaults() throws {
    let intent = try play(#"{"ids":["files:a1"]}"#)
    #expect(intent.ids.map(\.description) == ["files:a1"])
    #expect(intent.room == nil)
    #expect(intent.mode == .now)
    #expect(intent.startAt == 0)
    #expect(!intent.shuffle)
    #expect(intent.seed == nil)
  }

  @Test func anIntentIsReadWithAllItsParts() throws {
    let intent = try play(
      #"{"ids":["files:a1","files:t:2"],"room":"kitchen","mode":"next","startAt":3,"shuffle":true,"more":1}"#)
    #expect(intent.ids.map(\.native) == ["a1", "t:2"])
    #expect(intent.room == RoomName("kitchen"))
    #expect(intent.mode == .next)
    #expect(intent.startAt == 3)
    #expect(intent.seed == 7)
  }

  @Test func tracksByTheirDescriptionsNeedNoIDs() throws {
    let intent = try play(#"{"described":[{"title":"Gone","artist":"Nobody","durationSeconds":61}]}"#)
    #expect(intent.ids.isEmpty)
    #expect(intent.described == [DescribedTrack(title: "Gone", artist: "Nobody", duration: Milliseconds(61_000))])
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{"ids":[]}"#, #"{"ids":[],"described":[]}"#, #"{"described":[{"artist":"Nobody"}]}"#,
      #"{"ids":["a1"]}"#, #"{"ids":"files:a1"}"#, #"{"ids":["files:a1"],"startAt":-1}"#,
      #"{"ids":["files:a1"],"mode":"soon"}"#, #"{"ids":["files:a1"],"room":"The Kitchen"}"#, "\u{FFFD}",
    ])
  func anIntentThatIsNotUnderstoodIsRefused(json: String) { #expect(code { _ = try play(json) } == "web.badBody") }

  @Test func everyActionIsUnderstood() throws {
    #expect(try command(#"{"action":"resume"}"#) == .resume)
    #expect(try command(#"{"action":"pause"}"#) == .pause)
    #expect(try command(#"{"action":"toggle"}"#) == .toggle)
    #expect(try command(#"{"action":"next"}"#) == .next)
    #expect(try command(#"{"action":"previous"}"#) == .previous)
    #expect(try command(#"{"action":"stop"}"#) == .stop)
    #expect(try command(#"{"action":"seek","seconds":12.5}"#) == .seek(to: Milliseconds(12_500)))
    #expect(try command(#"{"action":"skip","seconds":-15}"#) == .skip(by: Milliseconds(-15_000)))
    #expect(try command(#"{"action":"volume","percent":40}"#) == .volume(40))
    #expect(try command(#"{"action":"jump","index":3}"#) == .jump(to: 3))
    let entry = EntryID(rawValue: "e7")
    #expect(try command(#"{"action":"jump","index":3,"entry":"e7"}"#) == .jump(to: 3, of: entry))
    #expect(
      try command(#"{"action":"seek","seconds":1,"entry":"e7"}"#) == .seek(to: Milliseconds(1000), of: entry))
    #expect(try command(#"{"action":"mute","on":true}"#) == .mute(true))
    #expect(try command(#"{"action":"stop-after-current","on":false}"#) == .stopAfterCurrent(false))
    #expect(try command(#"{"action":"stop-after-album","on":true}"#) == .stopAfterAlbum(true))
    #expect(try command(#"{"action":"repeat","mode":"one"}"#) == .repeats(.one))
    #expect(try command(#"{"action":"repeat","mode":"all"}"#) == .repeats(.all))
    #expect(try command(#"{"action":"repeat","mode":"off"}"#) == .repeats(.off))
    #expect(try command(#"{"action":"sleep","seconds":1800}"#) == .sleep(after: Milliseconds(1_800_000)))
    #expect(try command(#"{"action":"sleep"}"#) == .sleep(after: nil))
  }

  private func edit(_ json: String) throws -> Playback.EditQueue.Edit {
    try QueueRequestBody.decodeBody(Array(json.utf8)).edit { 7 }
  }

  @Test func everyChangeOfAQueueIsUnderstood() throws {
    let entry = EntryID(rawValue: "e7")
    #expect(try edit(#"{"action":"clear"}"#) == .clear)
    #expect(try edit(#"{"action":"restore"}"#) == .restore)
    #expect(try edit(#"{"action":"continue","on":false}"#) == .continues(false))
    #expect(try edit(#"{"action":"remove","index":3}"#) == .remove(at: 3))
    #expect(try edit(#"{"action":"remove","index":3,"entry":"e7"}"#) == .remove(at: 3, of: entry))
    #expect(try edit(#"{"action":"move","index":3,"to":0,"entry":"e7"}"#) == .move(from: 3, to: 0, of: entry))
    #expect(try edit(#"{"action":"order","order":"albums"}"#) == .order(.albums, seed: 7))
    #expect(try edit(#"{"action":"order","order":"tracks"}"#) == .order(.tracks, seed: 7))
    #expect(try edit(#"{"action":"order","order":"queued"}"#) == .order(.queued, seed: 0))
    #expect(
      try edit(#"{"action":"remove-all","items":[{"from":1,"to":1},{"from":4,"to":6}],"revision":9}"#)
        == .removeAll(at: [.init(from: 1, to: 1), .init(from: 4, to: 6)], revision: 9))
  }

  @Test(
    arguments: [
      #"{}"#, #"{"action":"forget"}"#, #"{"action":"remove"}"#, #"{"action":"remove","index":-1}"#,
      #"{"action":"move","index":1}"#, #"{"action":"move","to":1}"#, #"{"action":"order"}"#,
      #"{"action":"order","order":"mood"}"#, #"{"action":"remove","index":1,"entry":7}"#,
      #"{"action":"continue"}"#, #"{"action":"remove-all","items":[{"from":1,"to":1}]}"#,
      #"{"action":"remove-all","revision":9}"#,
    ])
  func aChangeThatIsNotUnderstoodIsRefused(json: String) { #expect(code { _ = try edit(json) } == "web.badBody") }

  @Test func aListThatMusicGoesOnInIsRead() throws {
    func list(_ json: String) throws -> Library.AlbumList? {
      try play(#"{"ids":["files:a1"],"continues":"# + json + "}").continues
    }
    #expect(try list(#"{"sort":"random","seed":9}"#) == Library.AlbumList(sort: .random, seed: 9))
    #expect(try list("{}") == Library.AlbumList())
    #expect(
      try list(#"{"tags":[{"kind":"mood","name":"x","isExcluded":true}]}"#)
        == Library.AlbumList(tags: [Library.Tag(kind: .mood, name: "x", isExcluded: true)]))
    #expect(try list(#"{"artist":"files:r2"}"#) == Library.AlbumList(artist: ArtistID("files:r2")))
    #expect(try list(#"{"collection":"plex:c2"}"#) == Library.AlbumList(collection: CollectionID("plex:c2")))
    #expect(try list(#"{"albums":["files:a1","files:a2"]}"#)?.albums?.map(\.native) == ["a1", "a2"])
    let many = (0..<300).map { "\"files:a\($0)\"" }.joined(separator: ",")
    #expect(try list("{\"albums\":[\(many)]}")?.albums?.count == 200)
    #expect(try list(#"{"tag":{"kind":"mood","name":"calm"}}"#)?.tag == Library.Tag(kind: .mood, name: "calm"))
    #expect(code { _ = try list(#"{"sort":"mood"}"#) } == "web.badBody")
    #expect(try play(#"{"ids":["files:a1"]}"#).continues == nil)
    #expect(try play(#"{"ids":["files:a1"],"continues":{},"endsAfter":true}"#).endsAfter == true)
  }

  @Test func aShuffleMixesTracksOrAlbums() throws {
    #expect(try play(#"{"ids":["files:a1"],"shuffle":true}"#).order == .tracks)
    #expect(try play(#"{"ids":["files:a1"],"shuffle":true,"order":"albums"}"#).order == .albums)
    #expect(try play(#"{"ids":["files:a1"],"order":"albums"}"#).order == nil)
  }

  @Test(
    arguments: [
      #"{}"#, #"{"action":"explode"}"#, #"{"action":"seek"}"#, #"{"action":"seek","seconds":-1}"#,
      #"{"action":"seek","seconds":1e300}"#, #"{"action":"volume","percent":101}"#, #"{"action":"volume"}"#,
      #"{"action":"jump","index":-1}"#, #"{"action":"seek","seconds":"12"}"#, #"{"action":"mute"}"#,
      #"{"action":"repeat"}"#, #"{"action":"repeat","mode":"twice"}"#, #"{"action":"stop-after-current"}"#,
      #"{"action":"stop-after-album"}"#, #"{"action":"sleep","seconds":0}"#, #"{"action":"sleep","seconds":1e9}"#,
    ])
  func anActionThatIsNotUnderstoodIsRefused(json: String) { #expect(code { _ = try command(json) } == "web.badBody") }

  @Test func aMoveCanKeepTheQueueOfTheOtherRoom() throws {
    func keepsQueue(_ json: String) throws -> Bool? {
      try Router.Move.decodeBody(Array(json.utf8), fixed: ["from": kitchen]).keepsQueue
    }
    #expect(try keepsQueue(#"{"to":"study","keepsQueue":true}"#) == true)
    #expect(try keepsQueue(#"{"to":"study"}"#) == nil)
    #expect(code { _ = try keepsQueue(#"{"to":"study","keepsQueue":"yes"}"#) } == "web.badBody")
  }
}

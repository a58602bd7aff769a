import HTTP
import Messages
import Model
import Sync
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(2)))
struct ListenBrainzProviderTests {
  private typealias Fake = FakeListenBrainz

  @Test func allListsAreReadOverSeveralPages() async throws {
    let fake = try await Fake()
    for number in 0..<60 { _ = try await fake.list("List \(number)", more: #","public":false"#) }
    _ = try await fake.list("Theirs", more: #","creator":"other""#)
    let lists = try #require(try await fake.provider().lists())
    #expect(Set(lists.map(\.info.title)) == Set((0..<60).map { "List \($0)" }))
    #expect(lists.count == 60)
    #expect(lists.allSatisfy { $0.info.isEditable && $0.snapshot != nil })
    #expect(Set(lists.compactMap(\.snapshot)).count == 60)
  }

  @Test func noListsAreAnAnswer() async throws {
    let fake = try await Fake()
    #expect(try await fake.provider().lists() == [])
  }

  @Test func anOverviewThatChangesWhileItIsReadIsNone() async throws {
    let fake = try await Fake()
    for number in 0..<30 { _ = try await fake.list("List \(number)") }
    try await fake.order(
      "fault",
      #"{"path":"/playlists$","query":"offset=25","fault":"order","verb":"playlist","order":{"title":"New"}}"#)
    let provider = try fake.provider()
    #expect(try await provider.lists() == nil)
    #expect(try await provider.lists()?.count == 31)
  }

  @Test func aListIsReadWithItsDescriptions() async throws {
    let fake = try await Fake()
    let natives = Fake.recordings(0..<3)
    try await fake.order(
      "describe",
      #"{"\#(natives[0])":{"artist":"Ada","title":"One","album":"A","milliseconds":200000}}"#)
    let id = try await fake.list("L", [natives[0], "https://example.org/5", natives[2], natives[0]])
    let provider = try fake.provider()
    let reading = try #require(try await provider.reading(of: id))
    #expect(reading.entries.map(\.native) == [natives[0], "https://example.org/5", natives[2], natives[0]])
    #expect(reading.entries.map(\.isFixed) == [false, true, false, false])
    #expect(
      reading.entries[0].described
        == DescribedTrack(
          title: "One", artist: "Ada", album: "A", duration: Milliseconds(200_000), recordingID: natives[0]))
    #expect(try await provider.lists()?.first?.snapshot == reading.snapshot)
    // Older servers write one identifier as a text.
    try await fake.order("policy", #"{"identifiers":"text"}"#)
    #expect(try await provider.reading(of: id) == reading)
    _ = try await fake.order("playlist", #"{"id":"\#(id)","title":"M"}"#)
    #expect(try await provider.reading(of: id)?.snapshot != reading.snapshot)
  }

  @Test func aListIsMadeEditedAndDeleted() async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let id = try await provider.create(title: "Mine & more", summary: "Über <3 & \"more\" [mark:7]")
    var list = try #require(try await provider.lists()?.first)
    #expect(list.info.native == id)
    #expect(list.info.title == "Mine & more")
    #expect(list.info.summary == "Über <3 & \"more\" [mark:7]")
    #expect(try await fake.order("playlists").elements.first?["public"]?.isTrue == false)
    _ = try await fake.order("playlist", #"{"id":"\#(id)","collaborators":["bob"]}"#)
    try await provider.describe(id, title: "Other", summary: "")
    list = try #require(try await provider.lists()?.first)
    #expect(list.info.title == "Other")
    #expect(list.info.summary == "")
    let present = try #require(try await fake.order("playlists").elements.first)
    #expect(present["collaborators"]?.elements.compactMap(\.string) == ["bob"])
    #expect(present["public"]?.isTrue == false)
    try await provider.delete(id)
    #expect(try await provider.lists() == [])
  }

  @Test func eachStepHasItsEffect() async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let natives = Fake.recordings(0..<8)
    let id = try await fake.list("L", Array(natives[0..<4]))
    try await provider.apply(.insert([natives[4], natives[5]], at: 1), to: id)
    var expected = [0, 4, 5, 1, 2, 3].map { natives[$0] }
    #expect(try await fake.recordings(of: id) == expected)
    try await provider.apply(.insert([natives[6]], at: 6), to: id)
    try await provider.apply(.insert([natives[7]], at: nil), to: id)
    expected += [natives[6], natives[7]]
    #expect(try await fake.recordings(of: id) == expected)
    // To a place behind and to one before, each counted without the entry.
    try await provider.apply(.move(from: 0, to: 3, native: natives[0], place: nil), to: id)
    expected.insert(expected.remove(at: 0), at: 3)
    #expect(try await fake.recordings(of: id) == expected)
    try await provider.apply(.move(from: 7, to: 1, native: natives[7], place: nil), to: id)
    expected.insert(expected.remove(at: 7), at: 1)
    #expect(try await fake.recordings(of: id) == expected)
    try await provider.apply(.removeAt(2, expecting: Array(expected[2..<5])), to: id)
    expected.removeSubrange(2..<5)
    #expect(try await fake.recordings(of: id) == expected)
  }

  @Test func aStepWhoseExpectationDoesNotHoldChangesNothing() async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let natives = Fake.recordings(0..<3)
    let id = try await fake.list("L", natives)
    for step: RemoteStep in [
      .removeAt(1, expecting: [natives[1], natives[1]]), .removeAt(2, expecting: [natives[2], natives[0]]),
      .removeAt(-1, expecting: [natives[0]]), .move(from: 0, to: 1, native: natives[2], place: nil),
      .insert([natives[0]], at: 4),
    ] {
      #expect(try await code { try await provider.apply(step, to: id) } == "library.providerChanged", "\(step)")
    }
    for step: RemoteStep in [
      .removeTracks(natives), .replace([], expecting: natives), .insert(["no recording"], at: nil),
      .move(from: 0, to: 1, native: "no recording", place: nil),
    ] {
      #expect(try await code { try await provider.apply(step, to: id) } == "library.providerRefused", "\(step)")
    }
    #expect(try await fake.recordings(of: id) == natives)
  }

  @Test func lovedTracksAreReadInTheOrderOfTheirLove() async throws {
    let fake = try await Fake()
    let natives = Fake.recordings(0..<230)
    let list = natives.map { "\"\($0)\"" }.joined(separator: ",")
    try await fake.order("score", #"{"mbids":[\#(list)]}"#)
    try await fake.order("score", #"{"msids":["11111111-0000-4000-8000-000000000000"]}"#)
    try await fake.order("score", #"{"mbids":["\#(Fake.recording(999))"],"score":-1}"#)
    try await fake.order("describe", #"{"\#(natives[0])":{"artist":"Ada","title":"One"}}"#)
    for counts in ["true", "false"] {
      try await fake.order("policy", #"{"countsAllScores":\#(counts)}"#)
      let reading = try #require(try await fake.provider().reading(of: ListenBrainzProvider.liked))
      #expect(reading.entries.map(\.native) == natives)
      #expect(
        reading.entries.first?.described == DescribedTrack(title: "One", artist: "Ada", recordingID: natives[0]))
    }
  }

  @Test func lovedTracksThatChangeWhileTheyAreReadAreNone() async throws {
    let fake = try await Fake()
    let list = Fake.recordings(0..<150).map { "\"\($0)\"" }.joined(separator: ",")
    try await fake.order("score", #"{"mbids":[\#(list)]}"#)
    let order = #"{"mbids":["\#(Fake.recording(500))"]}"#
    try await fake.order(
      "fault", #"{"path":"get-feedback","query":"offset=100","fault":"order","verb":"score","order":\#(order)}"#)
    let provider = try fake.provider()
    #expect(try await provider.reading(of: ListenBrainzProvider.liked) == nil)
    #expect(try await provider.reading(of: ListenBrainzProvider.liked)?.entries.count == 151)
  }

  @Test func tracksAreLovedAndNoLongerLoved() async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let natives = Fake.recordings(0..<3)
    try await provider.apply(.insert(natives, at: nil), to: ListenBrainzProvider.liked)
    #expect(try await provider.reading(of: ListenBrainzProvider.liked)?.entries.map(\.native) == natives)
    try await provider.apply(.removeTracks([natives[1]]), to: ListenBrainzProvider.liked)
    #expect(
      try await provider.reading(of: ListenBrainzProvider.liked)?.entries.map(\.native) == [natives[0], natives[2]])
    let step = RemoteStep.removeAt(0, expecting: [natives[0]])
    #expect(
      try await code { try await provider.apply(step, to: ListenBrainzProvider.liked) } == "library.providerRefused")
  }

  /// The capabilities are such that the merger of lists is content after its steps were made.
  @Test(arguments: [true, false]) func aMergedListIsTheSameOnBothSides(isLiked: Bool) async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let natives = Fake.recordings(0..<6)
    let id = isLiked ? ListenBrainzProvider.liked : try await provider.create(title: "L", summary: "")
    try await provider.apply(.insert([natives[0], natives[1], natives[2]], at: isLiked ? nil : 0), to: id)
    let local = [3, 1, 4].enumerated().map { place, number in
      LocalEntry(
        id: Int64(place + 1),
        track: SyncTrack(
          native: natives[number],
          described: DescribedTrack(title: "T\(number)", artist: "A", recordingID: natives[number])))
    }
    let remote = try #require(try await provider.reading(of: id)).entries
    let plan = ListMerger.plan(
      ListState(), local: local, remote: remote, capabilities: provider.capabilities(of: id),
      at: Timestamp(seconds: 1_800_000_000))
    #expect(!plan.remoteSteps.isEmpty)
    for step in plan.remoteSteps { try await provider.apply(step, to: id) }
    let merged = try #require(try await provider.reading(of: id)).entries.map(\.native)
    #expect(Set(merged) == Set([0, 1, 2, 3, 4].map { natives[$0] }))
    #expect(merged.count == 5)
  }

  @Test func aPauseIsTakenAndTheCallSucceeds() async throws {
    let fake = try await Fake()
    let id = try await fake.list("L", Fake.recordings(0..<2))
    try await fake.order("fault", #"{"path":"item/add","fault":"429"}"#)
    try await fake.provider().apply(.insert([Fake.recording(5)], at: nil), to: id)
    #expect(try await fake.recordings(of: id) == Fake.recordings(0..<2) + [Fake.recording(5)])
    #expect(fake.pauses.values == [.seconds(5)])
  }

  @Test func aRevokedTokenIsSignedOut() async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let id = try await fake.list("L", Fake.recordings(0..<2), more: #","public":false"#)
    #expect(try await provider.reading(of: id)?.entries.count == 2)
    try await fake.order("token")
    #expect(try await code { _ = try await provider.reading(of: id) } == "library.signedOut")
    #expect(try await code { try await provider.delete(id) } == "library.signedOut")
    #expect(try await fake.recordings(of: id).count == 2)
  }

  @Test(arguments: ["500", "html", "cut"]) func aChangeWithoutAClearAnswerIsMadeOnce(fault: String) async throws {
    let fake = try await Fake()
    let id = try await fake.list("L", Fake.recordings(0..<2))
    try await fake.order("fault", #"{"path":"item/add","fault":"\#(fault)"}"#)
    let provider = try fake.provider()
    let step = RemoteStep.insert([Fake.recording(5)], at: nil)
    #expect(try await code { try await provider.apply(step, to: id) } == "library.providerUnclear")
    #expect(try await fake.requests("/1/playlist/\(id)/item/add") == 1)
    #expect(try await code { _ = try await provider.reading(of: id) } == nil)
  }

  @Test func tracksAreFoundByTheirIDOrTheirNames() async throws {
    let fake = try await Fake()
    let provider = try fake.provider()
    let upper = DescribedTrack(title: "T", artist: "A", recordingID: Fake.recording(1).uppercased())
    #expect(provider.known(upper) == Fake.recording(1))
    #expect(provider.known(DescribedTrack(title: "T", artist: "A", recordingID: "1")) == nil)
    #expect(provider.known(DescribedTrack(title: "T", artist: "A")) == nil)
    try await fake.order("policy", #"{"recordings":{"So What (live)":"\#(Fake.recording(2))"}}"#)
    #expect(try await provider.track(DescribedTrack(title: "So What", artist: "Ada")) == nil)
    #expect(try await provider.track(DescribedTrack(title: "Other", artist: "Ada")) == nil)
    try await fake.order("policy", #"{"recordings":{"So What":"\#(Fake.recording(3))"}}"#)
    #expect(try await provider.track(DescribedTrack(title: "So what", artist: "Ada")) == Fake.recording(3))
    try await fake.order("policy", #"{"recordings":{"So What (2009 Remaster)":"\#(Fake.recording(4))"}}"#)
    #expect(try await provider.track(DescribedTrack(title: "SO WHAT", artist: "Ada")) == Fake.recording(4))
    #expect(try await provider.track(DescribedTrack(title: "", artist: "Ada")) == nil)
  }

  @Test func aTokenNamesItsUser() async throws {
    let fake = try await Fake()
    let token = try fake.token()
    #expect(
      try await ListenBrainzProvider.user(of: token, address: fake.address + "/", http: fake.http) == "tester")
    #expect(try await ListenBrainzProvider.user(of: "x", address: fake.address, http: fake.http) == nil)
    for fault in ["500", "html", "redirect"] {
      try await fake.order("fault", #"{"path":"validate","fault":"\#(fault)"}"#)
      let code = try await code {
        _ = try await ListenBrainzProvider.user(of: token, address: fake.address, http: fake.http)
      }
      #expect(code == "library.providerAway", "\(fault)")
    }
  }
}

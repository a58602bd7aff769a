import Bus
import Foundation
import Messages
import Model
import Plugins
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_resolver

/// The tracks that people see, and what is found for them while they see them.
@Suite(.timeLimit(.minutes(2))) struct ShownTrackTests {
  /// Plugins of a test: they answer when the test says so, and note what was asked of them.
  private final class FakePlugins: Sendable {
    private struct Noted {
      var asked: [String] = []
      var cancelled: [String] = []
      var open: [String: CheckedContinuation<Bool, Never>] = [:]
      var most = 0
      var states: [Resolver.ShownTracksState] = []
    }

    private let noted = Mutex(Noted())
    /// True if each search is answered at once.
    private let isQuick: Bool
    private let answer: @Sendable (String) throws -> ShownTrackFinder.Answer

    init(
      isQuick: Bool = true,
      answer: @escaping @Sendable (String) throws -> ShownTrackFinder.Answer = { .sources(sources($0)) }
    ) {
      (self.isQuick, self.answer) = (isQuick, answer)
    }

    var asked: [String] { noted.withLock { $0.asked } }
    var cancelled: [String] { noted.withLock { $0.cancelled } }
    var most: Int { noted.withLock { $0.most } }
    var published: [String: Resolver.ShownTrack] {
      noted.withLock { $0.states.flatMap(\.tracks) }.reduce(into: [:]) { $0["\($1.id)"] = $1 }
    }

    func record(_ state: Resolver.ShownTracksState) { noted.withLock { $0.states.append(state) } }

    /// Answers the search for a track; false stands for a plugin that fails.
    func finish(_ title: String, _ works: Bool = true) {
      noted.withLock { $0.open.removeValue(forKey: title) }?.resume(returning: works)
    }

    func find(_ track: DescribedTrack) async throws -> ShownTrackFinder.Answer {
      let title = track.title
      if isQuick {
        noted.withLock { $0.asked.append(title) }
        return try answer(title)
      }
      let works = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          noted.withLock {
            $0.asked.append(title)
            $0.open[title] = continuation
            $0.most = max($0.most, $0.open.count)
          }
          if Task.isCancelled { finish(title) }
        }
      } onCancel: {
        noted.withLock { $0.cancelled.append(title) }
        finish(title)
      }
      try Task.checkCancellation()
      guard works else { throw LunaraError("resolver.pluginFailed", "It failed.") }
      return try answer(title)
    }
  }

  private static let plugin = Resolver.PluginName(id: "p", name: "P")

  private static func sources(_ title: String, _ confidence: Double = 0.95) -> Resolver.SourceList {
    .init(sources: [
      .init(
        plugin: plugin, color: "#123456", kind: .stream, confidence: confidence, rank: confidence < 0.6 ? nil : 1,
        reason: confidence < 0.6 ? "belowFloor" : "order", title: title, artist: "Ada")
    ])
  }

  private func track(_ title: String) -> DescribedTrack { DescribedTrack(title: title, artist: "Ada") }

  private func finder(
    _ plugins: FakePlugins, times: ShownTrackFinder.Times = .init(), areAny: Bool = true
  ) async -> ShownTrackFinder {
    let finder = ShownTrackFinder(
      times: times, find: { try await plugins.find($0) }, publish: { plugins.record($0) })
    await finder.pluginsChanged(1, areAny: areAny)
    return finder
  }

  private func show(
    _ finder: ShownTrackFinder, _ titles: [String], in context: String = "page-1 page",
    _ place: Resolver.ShownPlace = .page, hovered: String? = nil
  ) async throws -> [Resolver.ShownState] {
    try await finder.show(
      .init(context: context, place: place, tracks: titles.map(track), hovered: hovered.map(track))
    ).tracks.map(\.state)
  }

  @Test func aHundredRowsAreLookedForFourAtATimeAndTheFirstOneAtOnce() async throws {
    let plugins = FakePlugins(isQuick: false)
    let finder = await finder(plugins)
    let titles = (1...100).map { "T\($0)" }
    #expect(try await Set(show(finder, titles)) == [.asking])
    #expect(await eventually(equals: ["T1", "T2", "T3", "T4"]) { plugins.asked.sorted() })
    plugins.finish("T1")
    #expect(await eventually(equals: .found) { plugins.published["\(track("T1").track.id)"]?.state })
    for title in titles.dropFirst() {
      #expect(await eventually(contains: title) { plugins.asked })
      plugins.finish(title)
    }
    #expect(await eventually(equals: 0) { await finder.runningCount })
    // Those that run at the same time begin in any order.
    #expect(plugins.most == 4 && plugins.asked.count == 100 && Set(plugins.asked) == Set(titles))
    #expect(try await Set(show(finder, titles)) == [.found])
    await finder.stop()
  }

  @Test func whatLeavesTheScreenIsGivenUpAndAskedAgainWhenItComesBack() async throws {
    let plugins = FakePlugins(isQuick: false)
    let finder = await finder(plugins)
    _ = try await show(finder, ["A", "B", "C", "D", "E", "F"])
    #expect(await eventually(equals: 4) { plugins.asked.count })
    _ = try await show(finder, ["D", "G"])
    #expect(
      await eventually {
        (Set(plugins.cancelled), plugins.asked.last)
      } satisfies: {
        $0 == (["A", "B", "C"], "G")
      })
    #expect(!plugins.asked.contains("E"))
    _ = try await show(finder, ["A"])
    #expect(await eventually(equals: "A") { plugins.asked.last })
    // Without tracks the place is gone.
    _ = try await show(finder, [])
    #expect(await eventually(equals: 0) { await finder.runningCount })
    await finder.stop()
  }

  @Test func whatSoundsSoonComesBeforeWhatIsHoveredAndThatBeforeTheRest() async throws {
    let plugins = FakePlugins(isQuick: false)
    let finder = await finder(plugins)
    _ = try await show(finder, ["A", "B", "C", "D", "E", "F", "G"])
    _ = try await show(finder, ["A", "B", "C", "D", "E", "F", "G"], hovered: "G")
    _ = try await show(finder, ["Q"], in: "page-1 queue", .queue)
    for title in ["A", "B", "C", "D"] {
      #expect(await eventually(contains: title) { plugins.asked })
    }
    for (ended, started) in [("A", "Q"), ("B", "G"), ("C", "E"), ("D", "F")] {
      plugins.finish(ended)
      #expect(await eventually(equals: started) { plugins.asked.last })
    }
    await finder.stop()
  }

  @Test func aTrackWhosePluginsFailIsTriedAgainWhenTheRowsChangeOrAfterAWhile() async throws {
    let plugins = FakePlugins(isQuick: false)
    var times = ShownTrackFinder.Times()
    times.retry = Milliseconds(50)
    let finder = await finder(plugins, times: times)
    _ = try await show(finder, ["A"])
    #expect(await eventually(equals: 1) { plugins.asked.count })
    plugins.finish("A", false)
    #expect(await eventually(equals: [.failed]) { plugins.published.values.map(\.state) })
    #expect(try await show(finder, ["A", "B"]) == [.failed, .asking])
    #expect(await eventually(equals: 3) { plugins.asked.count })
    plugins.finish("A", false)
    plugins.finish("B")
    #expect(await eventually(equals: 0) { await finder.runningCount })
    // The same rows are no reason to ask again at once, but they are later.
    #expect(try await eventually { try await show(finder, ["A", "B"]) != [] && plugins.asked.count == 4 })
    plugins.finish("A")
    #expect(try await eventually(equals: [.found, .found]) { try await show(finder, ["A", "B"]) })
    await finder.stop()
  }

  @Test func aPlaceThatSaysNothingIsGivenUp() async throws {
    let plugins = FakePlugins(isQuick: false)
    var times = ShownTrackFinder.Times()
    times.silence = Milliseconds(200)
    let finder = await finder(plugins, times: times)
    _ = try await show(finder, ["A", "B"])
    #expect(await eventually(equals: ["A", "B"]) { Set(plugins.cancelled) })
    #expect(await eventually(equals: 0) { await finder.runningCount })
    await finder.stop()
  }

  @Test func otherPluginsAreAskedForEverythingAgainAndNoneForNothing() async throws {
    let plugins = FakePlugins()
    let finder = await finder(plugins)
    _ = try await show(finder, ["A"])
    #expect(try await eventually(equals: [.found]) { try await show(finder, ["A"]) })
    await finder.pluginsChanged(1, areAny: true)
    #expect(try await show(finder, ["A"]) == [.found] && plugins.asked == ["A"])
    await finder.pluginsChanged(2, areAny: true)
    #expect(await eventually(equals: ["A", "A"]) { plugins.asked })
    await finder.pluginsChanged(3, areAny: false)
    await #expect(throws: LunaraError.self) { try await show(finder, ["A"]) }
    await finder.stop()
  }

  @Test func aDecisionOfAPersonIsShownAtOnce() async throws {
    let plugins = FakePlugins()
    let finder = await finder(plugins)
    _ = try await show(finder, ["A"])
    #expect(try await eventually(equals: [.found]) { try await show(finder, ["A"]) })
    var list = Self.sources("A")
    (list.sources[0].rank, list.sources[0].reason) = (nil, "blocked")
    await finder.update(track("A"), with: list)
    #expect(try await show(finder, ["A"]) == [.nothing])
    await finder.stop()
  }

  @Test func theBadgesHaveThePluginsThatFoundTheTrackByTheirNames() {
    func source(_ name: String, rank: Int?, _ reason: String, _ kind: Resolver.SourceKind = .stream) -> Resolver.Source
    {
      .init(
        plugin: .init(id: name.lowercased(), name: name), color: "#888888", kind: kind, confidence: 0.7, rank: rank,
        reason: reason, title: "A", artist: "Ada")
    }
    let shown = Resolver.ShownTrack(
      track("A"),
      .init(sources: [
        source("Tape", rank: 1, "order"), source("Band", rank: 2, "order", .link), source("Off", rank: nil, "disabled"),
        source("Wrong", rank: nil, "blocked"), source("Other", rank: nil, "belowFloor"),
      ]))
    #expect(shown.state == .found && shown.badges.map(\.plugin.name) == ["Band", "Off", "Tape"])
    #expect(shown.badges.map(\.isAvailable) == [false, false, true])
    let failure = Resolver.PluginFailure(plugin: Self.plugin, error: LunaraError("resolver.pluginFailed", "It failed."))
    #expect(Resolver.ShownTrack(track("A"), .init(sources: [], failures: [failure])).state == .failed)
  }

  @Test(
    .enabled(
      if: RecordedAnswers.folder != nil, "needs the recordings of real servers: set LUNARA_RECORDINGS to their folder"))
  func rowsOfTheRecordedTracksShowWhatIsSureEnough() async throws {
    let cases = try RecordedConfidence.read()
    #expect(cases.count > 10)
    // The same title is in several cases, so each has a number before it.
    let titles = cases.enumerated().map { "\($0) \($1.target.title)" }
    let confidences = Dictionary(uniqueKeysWithValues: zip(titles, cases.map(\.confidence)))
    let plugins = FakePlugins { .sources(Self.sources($0, confidences[$0] ?? 0)) }
    let finder = await finder(plugins)
    _ = try await show(finder, titles)
    let expected = cases.map { $0.confidence >= 0.6 ? Resolver.ShownState.found : .nothing }
    #expect(try await eventually(equals: expected) { try await show(finder, titles) })
    await finder.stop()
  }

  @Test func theResolverLooksInTheLibraryFirstAndThenAsksPlugins() async throws {
    let resolver = try await TestResolver()
    #expect(
      await resolver.refusal(of: Resolver.ShowTracks(context: "page-1 page", place: .page, tracks: [track("Here")]))?
        .code
        == "resolver.noPlugins")
    let library = try await resolver.bus.node("library@main")
    await library.serve(Library.LocateTrack.self) { request, _ in
      guard request.described?.title == "Here" else { throw LunaraError("library.notHere", "It is not here.") }
      return .url("http://127.0.0.1/here.flac", headers: [:])
    }
    try await resolver.install(
      "tape",
      [
        "resolve": """
        async (artist, title, album, config) => (await fetch(config.server + '/' + title)).ok && title === 'There'
          ? { id: 'x', title, artist } : null
        """
      ])
    let wanted = ["Here", "There", "Nowhere"].map(track)
    let request = Resolver.ShowTracks(context: "page-1 page", place: .page, tracks: wanted)
    #expect(await eventually(equals: nil) { await resolver.refusal(of: request) })
    #expect(
      try await eventually(equals: [.library, .found, .nothing]) { try await resolver.ask(request).tracks.map(\.state) }
    )
    #expect(Set(resolver.paths) == ["/There", "/Nowhere"])
    let states = await resolver.client.states(Resolver.ShownTracksState.self)
    var found: [Resolver.ShownTrack] = []
    for await observed in states {
      found = observed.first?.value.tracks ?? []
      if found.count == 3 { break }
    }
    #expect(found.contains { $0.id == wanted[1].track.id && $0.badges.map(\.plugin.id) == ["tape"] })
    await library.close()
    await resolver.close()
  }
}

/// The recorded confidences of what plugins answered.
private struct RecordedConfidence: Decodable {
  struct Names: Decodable {
    var artist: String
    var title: String
  }

  var target: Names
  var confidence: Double

  static func read() throws -> [RecordedConfidence] {
    let folder = try #require(RecordedAnswers.folder)
    let text = try String(contentsOfFile: "\(folder)/plugins/confidence.json", encoding: .utf8)
    return try MessageCoding.decode([RecordedConfidence].self, from: Array(text.utf8))
  }
}

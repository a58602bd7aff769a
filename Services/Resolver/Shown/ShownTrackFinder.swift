import Messages
import Model
import Plugins
import ServiceKit
import System

/// Looks for the described tracks that people see: at once for those on screen, later for those that were, and not at
/// all for what nobody has seen. `ResolveScheduler` decides the order; this carries out what it says.
actor ShownTrackFinder {
  /// The result of a search for a track.
  enum Answer: Sendable {
    /// The library has it.
    case library
    /// Sources that plugins found.
    case sources(Resolver.SourceList)
  }

  /// The times that a test shortens.
  struct Times: Sendable {
    /// The time after which a place that says nothing counts as gone.
    var silence = Milliseconds(30_000)
    /// The time after which a track whose plugins failed is tried again where it is still shown.
    var retry = Milliseconds(60_000)
    /// The time after which all that is known of shown tracks is asked for again.
    var lifetime = Milliseconds(86_400_000)
    /// The least time between two states with what was found.
    var publishing = Duration.milliseconds(100)
  }

  private struct Place {
    var keys: [String]
    var hovered: String?
    var heardAt: Milliseconds
    var shownAt: Milliseconds
  }

  private struct CachedTrack {
    var track: Resolver.ShownTrack
    var at: Milliseconds
  }

  /// The most tracks that are remembered.
  private static let trackLimit = 10_000
  /// The most places that are remembered.
  private static let placeLimit = 400
  /// The time for which a track whose plugins failed is not tried in the background.
  private static let backgroundRetry = Milliseconds(600_000)

  private let find: @Sendable (DescribedTrack) async throws -> Answer
  private let publish: @Sendable (Resolver.ShownTracksState) async -> Void
  private let now: @Sendable () -> Milliseconds
  private let times: Times
  private var scheduler: ResolveScheduler
  private var places: [String: Place] = [:]
  /// The tracks that were shown, by the native parts of their ids, and what is known of them.
  private var tracks: [String: DescribedTrack] = [:]
  private var known: [String: CachedTrack] = [:]
  private var running: [String: Task<Void, Never>] = [:]
  private var news: [Resolver.ShownTrack] = []
  private var hasNews = false
  private var publishing: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  private var sweeping: Task<Void, Never>?
  private var revision: UInt64?
  private var hasPlugins = false
  private var emptiedAt: Milliseconds

  /// - Parameters:
  ///   - find: looks for a track in the library and by the plugins.
  ///   - publish: publishes what was found last.
  init(
    times: Times = Times(), now: @escaping @Sendable () -> Milliseconds = { MonotonicClock.milliseconds() },
    find: @escaping @Sendable (DescribedTrack) async throws -> Answer,
    publish: @escaping @Sendable (Resolver.ShownTracksState) async -> Void
  ) {
    self.times = times
    self.now = now
    self.find = find
    self.publish = publish
    scheduler = ResolveScheduler(at: now())
    emptiedAt = now()
  }

  /// The number of tracks that are being looked for now.
  var runningCount: Int { running.count }

  /// Handles a change of the plugins that find music, or of their order.
  ///
  /// - Parameter revision: a number that differs for other plugins.
  func pluginsChanged(_ revision: UInt64, areAny: Bool) {
    guard revision != self.revision else { return }
    self.revision = revision
    hasPlugins = areAny
    forgetAll()
  }

  /// Notes what a place shows, and returns what is known of it.
  ///
  /// - Throws: `resolver.noPlugins`, `resolver.tooManyTracks`.
  func show(_ request: Resolver.ShowTracks) throws -> Resolver.ShownTrackList {
    let shown = request.tracks
    guard !shown.isEmpty else {
      leave(request.context)
      return .init(tracks: [])
    }
    guard hasPlugins else {
      throw LunaraError(
        "resolver.noPlugins",
        "No plugin that finds music is switched on. `lunara plugins` lists those that are installed.")
    }
    guard shown.count <= Resolver.ShowTracks.trackLimit,
      places[request.context] != nil || places.count < Self.placeLimit
    else {
      throw LunaraError(
        "resolver.tooManyTracks",
        "A place shows at most \(Resolver.ShowTracks.trackLimit) tracks, and at most \(Self.placeLimit) places show some."
      )
    }
    let time = now()
    if tracks.count > Self.trackLimit || time - emptiedAt > times.lifetime { forgetAll() }
    let hovered = request.hovered.map { remember($0) }
    var place = Place(keys: shown.map { remember($0) }, hovered: hovered, heardAt: time, shownAt: time)
    let former = places[request.context]
    if let former, former.keys == place.keys, !isDue(former, at: time) { place.shownAt = former.shownAt }
    places[request.context] = place
    if former == nil { handle(.registered(context: request.context, request.place.kind)) }
    if place.shownAt == time { handle(.visible(context: request.context, place.keys)) }
    if former?.hovered != hovered { handle(.hovered(hovered)) }
    sweep()
    return .init(tracks: zip(place.keys, shown).map { key, track in known[key]?.track ?? asking(track) })
  }

  /// Notes the sources of a track that somebody else asked for, or decided on.
  func update(_ track: DescribedTrack, with list: Resolver.SourceList) {
    let key = track.track.id.native
    guard tracks[key] != nil else { return }
    tell(key, Resolver.ShownTrack(track, list))
  }

  /// Ends all searches.
  func stop() {
    for task in running.values { task.cancel() }
    for task in [publishing, timer, sweeping] { task?.cancel() }
  }

  // MARK: - The places

  /// Returns true if tracks of a place whose plugins failed are due again.
  private func isDue(_ place: Place, at time: Milliseconds) -> Bool {
    time - place.shownAt >= times.retry && place.keys.contains { known[$0]?.track.state == .failed }
  }

  /// Remembers a track, and returns its key.
  private func remember(_ track: DescribedTrack) -> String {
    let key = track.track.id.native
    tracks[key] = track
    return key
  }

  private func leave(_ context: String) {
    guard let place = places.removeValue(forKey: context) else { return }
    if place.hovered != nil { handle(.hovered(nil)) }
    handle(.left(context: context, lettingRunningFinish: false))
  }

  /// Gives up places that were silent for a while, as long as there are places.
  private func sweep() {
    guard sweeping == nil else { return }
    let pause = Duration.milliseconds(max(10, times.silence.rawValue / 6))
    sweeping = Task {
      while !places.isEmpty {
        // A cancelled sleep means that the service stops.
        do { try await Task.sleep(for: pause) } catch { return }
        let time = now()
        for (context, place) in places where time - place.heardAt >= times.silence { leave(context) }
      }
      sweeping = nil
    }
  }

  private func forgetAll() {
    emptiedAt = now()
    known = [:]
    let shown = Set(places.values.flatMap { $0.keys + ($0.hovered.map { [$0] } ?? []) })
    tracks = tracks.filter { shown.contains($0.key) }
    handle(.pluginsChanged(areAny: hasPlugins))
  }

  // MARK: - The searches

  private func handle(_ event: ResolveScheduler.Event) {
    var events = [event]
    while !events.isEmpty {
      for action in scheduler.handle(events.removeFirst(), at: now()) {
        switch action {
        case .start(let key, _): if let refused = start(key) { events.append(refused) }
        case .abort(let key): running[key]?.cancel()
        case .readBackground(let limit): events.append(.background(background(limit)))
        case .wake(let time): wake(at: time)
        }
      }
    }
  }

  /// Begins to look for a track. Returns the event of its end where it is not known.
  private func start(_ key: String) -> ResolveScheduler.Event? {
    guard let track = tracks[key] else { return .finished(key, .aborted) }
    running[key] = Task {
      let outcome = await search(for: track, key)
      running[key] = nil
      handle(.finished(key, outcome))
    }
    return nil
  }

  private func search(for track: DescribedTrack, _ key: String) async -> ResolveScheduler.Outcome {
    do {
      let answer = try await find(track)
      try Task.checkCancellation()
      let shown: Resolver.ShownTrack =
        switch answer {
        case .library: .init(id: track.track.id, state: .library)
        case .sources(let list): .init(track, list)
        }
      tell(key, shown)
      return shown.state == .failed ? .failed : .resolved
    } catch {
      guard !Task.isCancelled, !(error is CancellationError) else { return .aborted }
      tell(key, .init(id: track.track.id, state: .failed))
      return .failed
    }
  }

  /// The tracks that were shown, and left the screen before they were found.
  private func background(_ limit: Int) -> [String] {
    let time = now()
    let open = tracks.keys.filter { key in
      guard let known = known[key] else { return true }
      return known.track.state == .failed && time - known.at >= Self.backgroundRetry
    }
    return Array(open.sorted().prefix(limit))
  }

  private func wake(at time: Milliseconds) {
    timer?.cancel()
    let pause = max(1, (time - now()).rawValue)
    timer = Task {
      // A cancelled sleep was replaced by another one.
      do { try await Task.sleep(for: .milliseconds(pause)) } catch { return }
      handle(.woken)
    }
  }

  // MARK: - What was found

  private func asking(_ track: DescribedTrack) -> Resolver.ShownTrack { .init(id: track.track.id, state: .asking) }

  private func tell(_ key: String, _ track: Resolver.ShownTrack) {
    let isNew = known[key]?.track != track
    known[key] = CachedTrack(track: track, at: now())
    guard isNew else { return }
    news.removeAll { $0.id == track.id }
    news.append(track)
    if news.count > Resolver.ShownTracksState.trackLimit { news.removeFirst() }
    hasNews = true
    guard publishing == nil else { return }
    publishing = Task {
      while hasNews {
        hasNews = false
        await publish(.init(tracks: news))
        // The next state has all that comes until then. A cancelled sleep means that the service stops.
        do { try await Task.sleep(for: times.publishing) } catch { return }
      }
      publishing = nil
    }
  }
}

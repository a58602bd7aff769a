import Messages
import Model

/// The attempts to get sound again. A person's command resets them.
struct Recovery: Hashable, Sendable {
  /// The state of automatic retrying; nil if the room does not retry by itself.
  var retry: Retry?
  /// The position at which the stream of the current track broke last.
  var cut: StreamCut?
  /// The number of tracks that failed one after the other.
  var failuresInRow = 0

  /// The delays before the retries; the last one repeats.
  static let retryDelays = [2000, 4000, 8000, 16_000, 30_000].map { Milliseconds($0) }
  /// The time after which the room stops retrying and waits for a person.
  static let retryLimit = Milliseconds(600_000)
  /// The number of failed tracks in a row after which the room stops.
  static let failureLimit = 3

  /// Plans the next retry, or none if it would be after `retryLimit`.
  mutating func planRetry(_ error: LunaraError, at now: Now) {
    var next = retry ?? Retry(error: error, since: now.moment)
    let delay = Self.retryDelays[min(next.attempts, Self.retryDelays.count - 1)]
    guard now.moment + delay - next.since <= Self.retryLimit else { return retry = nil }
    next.error = error
    next.attempts += 1
    next.due = now.later(delay)
    retry = next
  }

  /// Counts a break of a stream. Returns false if the stream broke too often at that position.
  mutating func countCut(in row: Int64, at position: Milliseconds) -> Bool {
    var times = 1
    if let cut, cut.row == row, position < cut.position + StreamCut.progress { times = cut.times + 1 }
    guard times <= StreamCut.limit else { return false }
    cut = StreamCut(row: row, position: position, times: times)
    return true
  }
}

/// The state of retrying until there is sound.
struct Retry: Hashable, Sendable {
  var error: LunaraError
  var attempts = 0
  /// The time of the first failure.
  var since: MonotonicTime
  /// The time of the next retry; nil while one is being made.
  var due: Now?
}

/// A position at which a stream broke.
struct StreamCut: Hashable, Sendable {
  var row: Int64
  var position: Milliseconds
  /// The number of breaks in a row without progress.
  var times: Int

  /// The number of times in a row that a stream may break at one position.
  static let limit = 3
  /// The progress after which a break counts as a break at another position.
  static let progress = Milliseconds(1000)
}

/// Handling of failed tracks, and retrying if sound is wanted but something outside of the track prevents it.
extension RoomMachine {
  /// Handles that the current track cannot be played, or cannot be continued.
  mutating func trackFailed(_ error: LunaraError, at now: Now) {
    if reopenWithOtherPlugin(after: error, at: now) { return }
    if error.isOutage { return fail(error, retries: true, at: now) }
    if error.code == "playback.streamRefused", reopenElsewhere(at: now) { return }
    var error = error
    if let cut = phase.recovery.cut, let first = tracks.first, cut.row == first.row, error.code == "playback.notAudio" {
      // The stream was audible before it broke, so it is audio: the server sends no more of it.
      if reopenCut(at: cut.position, [], now) { return }
      error = Self.cutShort(first.item?.track.title ?? "A track", at: cut.position, of: duration)
    }
    var facts: [RoomFact] = tracks.first?.item.map { [.failed($0, error)] } ?? []
    facts += closeListen(.failed, at: now)
    playing?.recovery.failuresInRow += 1
    guard phase.recovery.failuresInRow < Recovery.failureLimit else {
      position.set(.zero, at: now)
      let message =
        "\(Recovery.failureLimit) tracks in a row could not be played, so \(room) stopped. Check these tracks and resume, or choose something else."
      return fail(LunaraError("playback.tooManyFailures", message, cause: error.description), facts, at: now)
    }
    let wasWanted = wantsToGoOn && !stopsAfterCurrent
    passedOver = tracks.first?.item.flatMap { Self.withoutSource($0, error) }
    queue.skip()
    stepToNext(facts, at: now)
    waitForMore(if: wasWanted, at: now)
  }

  /// Returns the notice for a described track that is found nowhere, or only where nothing is switched on; nil for
  /// other errors and tracks.
  private static func withoutSource(_ item: QueueItem, _ error: LunaraError) -> LunaraError? {
    guard item.described != nil else { return nil }
    let what = Byline.quoted(item.track.title, item.track.artist)
    switch error.code {
    case "library.notHere", "resolver.notFound", "resolver.noPreview":
      return LunaraError(
        "playback.noSource", "No source was found for \(what), so it was passed over.", cause: error.message)
    case "resolver.noPlugins", "resolver.noEnabledSource":
      return LunaraError(
        "playback.noEnabledSource",
        "No enabled source has \(what), so it was passed over. Switch a plugin on in the settings, or with `lunara plugins on`.",
        cause: error.message)
    default: return nil
    }
  }

  /// Returns the error for a track that ended too early.
  static func cutShort(_ title: String, at position: Milliseconds, of length: Milliseconds?) -> LunaraError {
    let whole = length.map { " of \($0)" } ?? ""
    return LunaraError(
      "playback.cutShort", "\(title) broke off at \(position)\(whole). Its file or stream may be damaged.")
  }

  mutating func tryAgain(at now: Now) {
    guard case .failed(let failure) = phase, failure.recovery.retry != nil else { return }
    var recovery = failure.recovery
    recovery.retry?.due = nil
    open(at: position.anchor.position, recovery: recovery, at: now)
  }

  /// Handles a locator that arrives after the room gave up waiting for it: a planned retry starts at once. After an
  /// error the next retry requests a locator again.
  mutating func foundLate(_ result: Result<Library.Locator, LunaraError>, at now: Now) {
    tracks[0].isSought = false
    guard case .success(let locator) = result else { return }
    tracks[0].set(locator, at: now)
    tryAgain(at: now)
  }

  /// Opens the current track at the position where its stream broke. Returns false if that was done too often.
  mutating func reopenCut(at position: Milliseconds, _ facts: [RoomFact], _ now: Now) -> Bool {
    var recovery = phase.recovery
    guard let first = tracks.first, case .url? = first.locator, recovery.countCut(in: first.row, at: position) else {
      return false
    }
    let facts = facts + meter.hold(at: position, now.moment, .starved)
    playing?.isFlowing = false
    open(at: position, recovery: recovery, facts, at: now)
    return true
  }

  /// Deletes the prefetched file of the current track if it is missing or damaged, and requests another locator, once.
  /// Returns false for any other error, or if that was done before.
  mutating func reopenWithoutPrefetched(after error: LunaraError, at now: Now) -> Bool {
    guard ["playback.fileMissing", "playback.fileUnreadable", "playback.notAudio"].contains(error.code),
      case .file(let path, _)? = tracks.first?.locator, isPrefetched(path)
    else { return false }
    effects.append(.dropPrefetched(path))
    return reopenElsewhere(at: now)
  }

  /// Requests the address of another plugin for the current track if that of a plugin cannot be played, or a fresh one
  /// of the same plugin where no other has any. Returns false for a track that no plugin gave, for an error that does
  /// not concern its stream, and where that plugin has failed twice.
  private mutating func reopenWithOtherPlugin(after error: LunaraError, at now: Now) -> Bool {
    guard let first = tracks.first, let plugin = first.plugin, error.code != "playback.noOutput",
      first.failedPlugins.count(where: { $0 == plugin.id }) < 2
    else { return false }
    let position = position(at: now)
    tracks[0].locator = nil
    tracks[0].failedPlugins.append(plugin.id)
    open(at: position, at: now)
    return true
  }

  /// Requests another locator for the current track, once. Returns false if that was done before.
  private mutating func reopenElsewhere(at now: Now) -> Bool {
    guard let first = tracks.first, !first.isRenewed else { return false }
    let position = position(at: now)
    tracks[0].locator = nil
    open(at: position, at: now)
    tracks[0].isRenewed = true
    return true
  }
}

extension LunaraError {
  /// True if another service was away or busy, so that the same request may soon succeed.
  var isTemporary: Bool { code.hasPrefix("bus.") }

  /// True if the error concerns other tracks as well, as an output, a server, the sign-in there or the connection to it
  /// is missing.
  var isOutage: Bool {
    [
      "playback.streamUnreachable", "playback.noOutput", "library.sourceAway", "library.signedOut",
      "library.otherServer",
      "library.serverUntrusted", "library.wrongServerKind", "library.mediaAway", "http.unreachable", "http.timeout",
    ].contains(code)
  }
}

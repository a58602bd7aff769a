import Messages
import Model

/// Trying again where sound is wanted and something outside of the track keeps it away.
extension RoomMachine {
  /// What is tried again.
  struct Retry: Hashable, Sendable {
    /// Why.
    var error: LunaraError
    /// How often it was tried.
    var attempts = 0
    /// Since when.
    var since: MonotonicTime
    /// When the next try is due; nil while one is under way.
    var due: Now?
  }

  /// How long is waited before each try; the last one again and again.
  static let retryDelays = [2000, 4000, 8000, 16_000, 30_000].map { Milliseconds($0) }
  /// For how long is tried before the room waits for a person.
  static let retryLimit = Milliseconds(600_000)
  /// How often in a row a stream may break at one place.
  static let cutLimit = 3
  /// By how much a stream has to get on for a break to count as another one.
  static let cutProgress = Milliseconds(1000)

  /// Plans the next try.
  mutating func planRetry(_ error: LunaraError, at now: Now) {
    var next = retry ?? Retry(error: error, since: now.moment)
    let delay = Self.retryDelays[min(next.attempts, Self.retryDelays.count - 1)]
    guard now.moment + delay - next.since <= Self.retryLimit else { return retry = nil }
    next.error = error
    next.attempts += 1
    next.due = now.later(delay)
    retry = next
  }

  /// Tries again.
  mutating func tryAgain(at now: Now) {
    guard case .failed = phase, retry != nil else { return }
    retry?.due = nil
    open(at: anchor.position, at: now)
  }

  /// The place of the current track was found after the room gave up waiting: what is to be tried again is tried at once. Where
  /// it was not found the next try asks anew.
  mutating func foundLate(_ result: Result<Library.Locator, LunaraError>, at now: Now) {
    tracks[0].isSought = false
    guard case .success(let locator) = result else { return }
    tracks[0].take(locator, at: now)
    tryAgain(at: now)
  }

  /// Opens the current track where its stream broke; false where that has been done often enough.
  mutating func reopenCut(at position: Milliseconds, _ facts: [RoomFact], _ now: Now) -> Bool {
    guard let first = tracks.first, case .url? = first.locator else { return false }
    var times = 1
    if let cut, cut.row == first.row, position < cut.at + Self.cutProgress { times = cut.times + 1 }
    guard times <= Self.cutLimit else { return false }
    let facts = facts + meter.halt(at: position, now.moment, .starved).map { .listen($0) }
    isFlowing = false
    cut = (first.row, position, times)
    open(at: position, facts, at: now)
    return true
  }

  /// Gives up what was fetched of the current track where that is gone or damaged, and asks once for another place;
  /// false where the trouble is none of that, or where that was done.
  mutating func reopenCopy(after error: LunaraError, at now: Now) -> Bool {
    guard ["playback.fileMissing", "playback.fileUnreadable", "playback.notAudio"].contains(error.code),
      case .file(let path)? = tracks.first?.locator, isCopy(path)
    else { return false }
    effects.append(.dropCopy(path))
    return reopenRefused(at: now)
  }

  /// Asks once for another place of the current track, whose place was refused; false where that was done.
  mutating func reopenRefused(at now: Now) -> Bool {
    guard let first = tracks.first, !first.isRenewed else { return false }
    let position = position(at: now)
    tracks[0].locator = nil
    open(at: position, at: now)
    tracks[0].isRenewed = true
    return true
  }
}

extension LunaraError {
  /// Whether the same may well go better in a moment: another service was away or busy.
  var isPassing: Bool { code.hasPrefix("bus.") }

  /// Whether a track was kept from sounding by something that has to do with other tracks as well: an output, a server
  /// or a way to it that is away.
  var isOutage: Bool {
    [
      "playback.streamUnreachable", "playback.noOutput", "library.sourceAway", "library.mediaAway", "http.unreachable",
      "http.timeout",
    ].contains(code)
  }
}

extension Now {
  /// The moment that lies `length` after this one.
  func later(_ length: Milliseconds) -> Now {
    Now(moment: moment + length, date: Timestamp(microseconds: date.microseconds + length.rawValue * 1000))
  }
}

import Messages
import Model

@testable import lunara_playback

/// Behaves like libmpv, as far as a room can tell: a list of files, a decoder that runs ahead of the sound by an
/// output's buffer, and delayed signals.
struct SimulatedPlayer {
  /// The signals that were not delivered yet.
  var signals: [PlayerSignal] = []
  /// The media time that was heard, by file.
  private(set) var heard: [LocalPath: Milliseconds] = [:]
  /// The media time that was heard in all.
  private(set) var total = Milliseconds.zero
  /// The number of files that wait behind the open one.
  var waiting: Int { open.map { max(0, list.count - 1 - $0) } ?? list.count }

  private enum Phase: Equatable {
    case idle
    case opening
    case running
    /// Everything is decoded, and the buffer plays out.
    case draining
  }

  private struct File {
    var entry: Int64
    var cue: Cue
    /// The end at which the player was told to stop; nil for the end of the file.
    var end: Milliseconds?

    init(entry: Int64, cue: Cue) {
      (self.entry, self.cue) = (entry, cue)
      setEnd(of: cue)
    }

    mutating func setEnd(of cue: Cue) { end = cue.length.map { cue.offset + $0 } }
  }

  private let lengths: [LocalPath: Milliseconds]
  private var list: [File] = []
  /// The index of the open file in the list.
  private var open: Int?
  private var phase = Phase.idle
  private var isPaused = false
  /// The position up to which the open file is decoded.
  private var decoded = Milliseconds.zero
  /// The decoded sound that waits to be heard, oldest first.
  private var buffer: [(path: LocalPath, left: Milliseconds)] = []
  private var lastEntry: Int64 = 0
  private var restarts = false

  private static let ahead = Milliseconds(400)

  /// A player for files of these lengths; all others cannot be opened.
  init(lengths: [LocalPath: Milliseconds]) { self.lengths = lengths }

  private var buffered: Milliseconds { buffer.reduce(.zero) { $0 + $1.left } }

  mutating func perform(_ command: PlayerCommand) {
    switch command {
    case .load(let cue, let append, let mark):
      lastEntry += 1
      signals.append(.added(mark: mark, entry: lastEntry))
      if append { return list.append(File(entry: lastEntry, cue: cue)) }
      leave()
      list = [File(entry: lastEntry, cue: cue)]
      open = nil
      phase = .opening
    case .clearPrepared:
      // A file that is about to be opened counts as current.
      list = phase == .opening || open != nil ? [list[open ?? 0]] : []
      open = open.map { _ in 0 }
    case .stop:
      leave()
      list = []
      goIdle()
    case .pause(let held): isPaused = held
    case .end(let cue):
      guard let open, phase == .running || phase == .opening else { return }
      list[open].setEnd(of: cue)
      decode()
    case .seek(let cue, let position):
      guard phase == .running, let file = current else { return }
      let target = cue.offset + position
      buffer = []
      decoded = min(target, length(of: file) ?? target)
      restarts = true
    case .volume, .mute: break
    case .next:
      let at = open ?? 0
      guard list.count > at + 1, phase != .idle else { return }
      leave()
      list.removeFirst(at + 1)
      phase = .opening
    case .askPosition(let mark):
      let isKnown = phase == .running && !restarts
      signals.append(.position(mark: mark, seconds: isKnown ? (decoded - buffered).seconds : nil))
    }
  }

  private var current: File? { open.map { list[$0] } }
  private func length(of file: File) -> Milliseconds? {
    path(of: file).flatMap { lengths[$0] }.map { min($0, file.end ?? $0) }
  }
  private func path(of file: File) -> LocalPath? { if case .file(let path, _) = file.cue.locator { path } else { nil } }

  /// Closes the open file for a command.
  private mutating func leave() {
    if let file = current {
      signals += [.unloading(end: decoded.seconds), .ended(entry: file.entry, .stopped)]
    }
    buffer = []
    open = nil
    restarts = false
  }

  private mutating func goIdle() {
    open = nil
    phase = .idle
    list = []
    signals.append(.idle)
  }

  /// Carries out the next step that takes no time; returns false where there is none.
  mutating func step() -> Bool {
    switch phase {
    case .opening where open == nil:
      open = 0
      signals.append(.started(entry: list[0].entry))
      return true
    case .opening:
      guard let file = current else { return false }
      guard let length = length(of: file), let duration = path(of: file).flatMap({ lengths[$0] }) else {
        signals += [.unloading(end: nil), .ended(entry: file.entry, .unopenable)]
        goOn()
        return true
      }
      decoded = min(file.cue.offset + file.cue.start, length)
      signals += [.duration(seconds: duration.seconds), .restarted]
      phase = .running
      decode()
      return true
    case .running where restarts:
      restarts = false
      signals.append(.restarted)
      decode()
      return true
    case .idle, .running, .draining: return false
    }
  }

  /// Opens the next file, or ends decoding.
  private mutating func goOn() {
    guard let at = open, at + 1 < list.count else {
      if buffered > .zero { phase = .draining } else { goIdle() }
      return
    }
    open = at + 1
    phase = .opening
    signals.append(.started(entry: list[at + 1].entry))
  }

  private mutating func decode() {
    guard phase == .running, !restarts, let file = current, let path = path(of: file), let length = length(of: file)
    else { return }
    let more = min(length - decoded, Self.ahead - buffered)
    if more > .zero {
      decoded += more
      buffer.append((path, more))
    }
    guard decoded >= length else { return }
    signals.append(.unloading(end: decoded.seconds))
    // The end of the last file is only reported when it has been heard.
    guard let at = open, at + 1 < list.count else { return phase = .draining }
    signals.append(.ended(entry: file.entry, .endOfFile))
    goOn()
  }

  /// Advances the time of the audible sound.
  mutating func pass(_ time: Milliseconds) {
    guard !isPaused else { return }
    var left = time
    while left > .zero, !buffer.isEmpty {
      let taken = min(left, buffer[0].left)
      heard[buffer[0].path, default: .zero] += taken
      total += taken
      left = left - taken
      buffer[0].left = buffer[0].left - taken
      if buffer[0].left == .zero { buffer.removeFirst() }
      decode()
    }
    guard phase == .draining, buffer.isEmpty else { return }
    if let file = current, lengths[path(of: file) ?? LocalPath("")] != nil {
      signals.append(.ended(entry: file.entry, .endOfFile))
    }
    // A file may have been added in the meantime.
    if let at = open, at + 1 < list.count { goOn() } else { goIdle() }
  }
}

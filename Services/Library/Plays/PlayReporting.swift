import Messages
import Model

/// Decides what servers are told about rooms that play tracks of theirs. Pure.
struct NowPlayingPlan {
  /// A room as it says it is.
  struct Room: Hashable, Sendable {
    var room: RoomName
    var state: PlaybackState
    var track: TrackID?
    /// The place in the queue: the same track once more is another hearing.
    var entry: EntryID?
    var position: Milliseconds
    var duration: Milliseconds
    var isAway: Bool
  }

  /// Something to tell about a track.
  struct Report: Hashable, Sendable {
    var track: TrackID
    var entry: EntryID
    var state: NowPlayingReport.State
    var position: Milliseconds
    var duration: Milliseconds
    var room: RoomName
  }

  private struct Told {
    var report: Report
    var at: ContinuousClock.Instant
  }

  /// How often a server is told of what goes on as it was.
  static let pace = Duration.seconds(10)

  private var told: [RoomName: Told] = [:]

  /// Takes in how all rooms stand, and gives what is to be told now.
  ///
  /// - Parameter isPrivate: nothing is told but that what was told of before has stopped.
  mutating func take(_ rooms: [Room], isPrivate: Bool = false, at now: ContinuousClock.Instant) -> [Report] {
    var reports: [Report] = []
    let rooms = isPrivate ? [] : rooms
    for room in rooms {
      let current = Self.report(room)
      if let before = told[room.room], before.report.entry != current?.entry || before.report.track != current?.track {
        reports += Self.ending(before, at: now)
        told[room.room] = nil
      }
      guard let current else { continue }
      if let before = told[room.room], before.report.state == current.state, before.at + Self.pace > now { continue }
      told[room.room] = Told(report: current, at: now)
      reports.append(current)
    }
    for (name, before) in told where !rooms.contains(where: { $0.room == name }) {
      reports += Self.ending(before, at: now)
      told[name] = nil
    }
    return reports
  }

  private static func ending(_ told: Told, at now: ContinuousClock.Instant) -> [Report] {
    var end = told.report
    if end.state == .playing {
      let played = Milliseconds(seconds: (now - told.at) / .seconds(1))
      end.position = min(end.position + played, max(end.duration, end.position))
    }
    end.state = .stopped
    return [end]
  }

  /// What a room does with a track; nil where it does nothing with one.
  private static func report(_ room: Room) -> Report? {
    guard !room.isAway, let track = room.track, let entry = room.entry else { return nil }
    let state: NowPlayingReport.State
    switch room.state {
    case .buffering: state = .buffering
    case .playing: state = .playing
    case .paused: state = .paused
    case .idle, .error, .unknown: return nil
    }
    return Report(
      track: track, entry: entry, state: state, position: room.position, duration: room.duration, room: room.room)
  }
}

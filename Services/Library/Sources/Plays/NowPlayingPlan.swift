import Messages
import Model
import Records

/// Decides which now-playing reports servers get about rooms that play their tracks. Does no I/O.
struct NowPlayingPlan {
  /// The state of a room, as the room published it.
  struct Room: Hashable, Sendable {
    var room: RoomName
    var state: PlaybackState
    var track: TrackID?
    /// The entry in the queue: the same track in another entry is another listen.
    var entry: EntryID?
    var position: Milliseconds
    var duration: Milliseconds
    var isAway: Bool
  }

  /// A report to the servers that have a track.
  struct Report: Hashable, Sendable {
    var track: TrackID
    var entry: EntryID
    var state: NowPlayingReport.State
    var position: Milliseconds
    var duration: Milliseconds
    var room: RoomName
    /// True for a stop after which the room plays another track.
    var isContinuing = false
  }

  private struct LastReport {
    var report: Report
    var at: ContinuousClock.Instant
  }

  /// The time after which a state that has not changed is reported again.
  static let pace = Duration.seconds(10)

  private var lastReports: [RoomName: LastReport] = [:]

  /// Notes the states of all rooms, and returns the reports that are due now.
  ///
  /// - Parameter isPrivate: true if only the end of tracks that were reported before may be reported.
  mutating func update(_ rooms: [Room], isPrivate: Bool = false, at now: ContinuousClock.Instant) -> [Report] {
    var reports: [Report] = []
    let rooms = isPrivate ? [] : rooms
    for room in rooms {
      let current = Self.report(room)
      if let before = lastReports[room.room],
        before.report.entry != current?.entry || before.report.track != current?.track
      {
        reports.append(Self.end(of: before, at: now, isContinuing: current != nil))
        lastReports[room.room] = nil
      }
      guard let current else { continue }
      if let before = lastReports[room.room], before.report.state == current.state, before.at + Self.pace > now {
        continue
      }
      lastReports[room.room] = LastReport(report: current, at: now)
      reports.append(current)
    }
    for (name, before) in lastReports where !rooms.contains(where: { $0.room == name }) {
      reports.append(Self.end(of: before, at: now, isContinuing: false))
      lastReports[name] = nil
    }
    return reports
  }

  private static func end(of last: LastReport, at now: ContinuousClock.Instant, isContinuing: Bool) -> Report {
    var end = last.report
    if end.state == .playing {
      let played = Milliseconds(seconds: (now - last.at) / .seconds(1))
      end.position = min(end.position + played, max(end.duration, end.position))
    }
    end.state = .stopped
    end.isContinuing = isContinuing
    return end
  }

  /// Returns the report about a room; nil if it plays no track.
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

/// The reports of one room for one server, in order. Does no I/O.
///
/// Two requests at once may arrive in either order, and the later one decides what the server shows. So one is sent at
/// a time, and of the reports that wait meanwhile only the newest is sent.
struct NowPlayingQueue {
  /// The listen that was reported to the server, and whose end was not reported yet.
  private var reportedListen: ListenID?
  /// The reports that are still to be sent: the end of the former listen, and the newest state, if there are any.
  private var waiting: [NowPlayingReport] = []

  /// True if no report waits and no reported listen is still to be ended.
  var isOver: Bool { reportedListen == nil && waiting.isEmpty }

  /// Adds a report, which replaces those that it makes obsolete.
  mutating func add(_ report: NowPlayingReport) {
    waiting.removeAll { $0.state != .stopped || $0.listen == report.listen }
    // The end of a listen is reported only to a server that got a report of the listen.
    guard report.state != .stopped || report.listen == reportedListen else { return }
    waiting.append(report)
  }

  /// Removes and returns the report to send next; nil if there is none. To be called when no request is running.
  ///
  /// - Parameter isPrivate: true if only ends of listens may be reported.
  mutating func next(isPrivate: Bool) -> NowPlayingReport? {
    if isPrivate { waiting.removeAll { $0.state != .stopped } }
    guard !waiting.isEmpty else { return nil }
    let report = waiting.removeFirst()
    reportedListen = report.state == .stopped ? nil : report.listen
    return report
  }
}

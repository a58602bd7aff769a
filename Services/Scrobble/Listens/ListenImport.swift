import Digests
import System
import Messages
import Model
import Storage
import Text

/// Adds listens from other programs and services to the history.
enum ListenImport {
  static let limit = 100
  /// The value of `withheld` for an imported listen that is not to be sent.
  static let imported = "imported"

  /// Adds listens; known ones change nothing. Throws `scrobble.badImport`.
  static func add(
    _ request: Scrobble.ImportListens, at now: Timestamp, _ transaction: Transaction
  ) throws -> Scrobble.Imported {
    guard request.listens.count <= limit else { throw ScrobbleError.badImport("more than \(limit) came at once") }
    transaction.requireDurability(.power)
    var answer = Scrobble.Imported(added: 0, known: 0)
    for listen in request.listens {
      let subject = try subject(of: listen, at: now)
      guard try !isKnown(subject, transaction) else {
        answer.known += 1
        continue
      }
      try ListenStore.add(
        subject, heard: subject.item.track.duration, at: now, withheld: request.sends ? nil : imported, in: transaction)
      answer.added += 1
    }
    return answer
  }

  /// Returns true if the history has a listen with this id, or else with this time, artist and title: a listen that was
  /// exported to a service and imported from there has lost its id.
  private static func isKnown(_ subject: Playback.ListenSubject, _ transaction: ReadTransaction) throws -> Bool {
    let known: Int? = try transaction.value("SELECT 1 FROM scrobbles WHERE listen = ?", subject.listen)
    if known != nil { return true }
    func names(_ track: Track) -> [String] { [track.artist, track.title].map(\.folded) }
    let own = names(subject.item.track)
    let seconds = subject.startedAt.seconds
    let same = try transaction.rows(
      "SELECT item FROM scrobbles WHERE started_at >= ? AND started_at < ?", Timestamp(seconds: seconds),
      Timestamp(seconds: seconds + 1)
    ) { row -> [String] in
      // An item that cannot be read does not count as the same.
      QueueItem.stored(try row.value(0)).map { names($0.track) } ?? []
    }
    return same.contains(own)
  }

  private static func subject(
    of listen: Scrobble.ImportedListen, at now: Timestamp
  ) throws -> Playback.ListenSubject {
    let problems = [
      (listen.title.isEmpty, "no title"), (listen.artist.isEmpty, "no artist"),
      (listen.startedAt <= Timestamp(seconds: 0), "no time"),
      (now - listen.startedAt <= Milliseconds(-86_400_000), "a time in the future"),
    ]
    if let (_, problem) = problems.first(where: \.0) {
      let name = listen.title.isEmpty ? "one" : "“\(listen.title.prefix(80))”"
      throw ScrobbleError.badImport("\(name) has \(problem)")
    }
    // A listen without an id gets one made from its time, artist and title.
    let mark = try MD5.hex("\(listen.startedAt.seconds)\u{0}\(listen.artist)\u{0}\(listen.title)")
    let id = listen.listen ?? ListenID(rawValue: "import-\(mark)")
    let track = Track(
      id: TrackID(source: "elsewhere", native: mark), albumID: AlbumID(source: "elsewhere", native: "-"),
      title: listen.title, artist: listen.artist, albumArtist: listen.albumArtist ?? listen.artist,
      album: listen.album ?? "", number: listen.number, duration: listen.duration ?? .zero,
      recordingID: listen.recordingID, releaseID: listen.releaseID)
    return Playback.ListenSubject(
      listen: id, room: .elsewhere,
      item: QueueItem(
        entry: EntryID(rawValue: mark), track: track, origin: QueueItem.Origin(node: "scrobble@main", place: "import")),
      startedAt: listen.startedAt)
  }
}

import Client
import Messages
import Model

extension QueueExplanation {
  /// The explanation in lines of a label and a text; empty if nothing is to be played.
  ///
  /// - Parameter now: the present time, from which the time of the end is calculated.
  func table(now: Timestamp = .now()) -> Table {
    guard !coming.isEmpty else { return Table() }
    let lines =
      origins.prefix(5).enumerated().map { ($0 == 0 ? "Queued" : "", $1.words) }
      + (origins.count > 5 ? [("", "and \(origins.count - 5) more")] : [])
      + [("On disk", audioWords)] + continuationLines(now) + [("Ends", endWords(now))]
    return Table(lines.map { [.faint($0.0), .init($0.1)] })
  }

  /// The number of the next items at each place, in words.
  private var audioWords: String {
    let words: [(Playback.AudioPlace, String)] = [
      (.here, "on this machine"), (.kept, "kept offline"), (.fetched, "fetched in advance"),
      (.away, "on another machine or a server"),
    ]
    let counts = words.compactMap { place, words in
      let count = coming.count { $0.audio == place }
      return count > 0 ? "\(count) \(words)" : nil
    }
    guard !counts.isEmpty else { return "not known" }
    return "of the next \(coming.count): \(counts.joined(separator: ", "))"
  }

  private func continuationLines(_ now: Timestamp) -> [(String, String)] {
    guard let continuation, modes?.repeats ?? .off == .off else { return [] }
    guard continuation.isOn else {
      return [("Then", "nothing; with `lunara queue continue on` \(continuation.words)")]
    }
    let albums = continuation.titles?.isEmpty == true ? "no more albums" : "\(continuation.batch) albums"
    let time = continuation.startsIn.map { $0 > .zero ? self.time(in: $0, now) : "now" } ?? "when the last album plays"
    let titles = (continuation.titles ?? []).joined(separator: ", ")
    return [("Then", "\(albums) from \(continuation.words), added \(time)\(titles.isEmpty ? "" : ": \(titles)")")]
  }

  private func endWords(_ now: Timestamp) -> String {
    if modes?.stopsAfterCurrent == true { return "after the current track, where the room stops" }
    if modes?.stopsAfterAlbum == true { return "after the current album, where the room stops" }
    switch modes?.repeats ?? .off {
    case .one: return "never: it repeats the current track"
    case .all: return "never: it repeats all"
    case .off, .unknown: break
    }
    let left = "\(Printable.count(tracksLeft, "more track"))"
    let time = endsIn.map { self.time(in: $0, now) } ?? "at a time that is not known"
    return continuation?.isOn == true ? "\(time), after \(left), and goes on" : "\(time), after \(left)"
  }

  /// A time of day while the room plays, else the length until then.
  private func time(in length: Milliseconds, _ now: Timestamp) -> String {
    isPlaying ? "at \((now - (.zero - length)).localTime)" : "after \(length.roundedToMinutes.text) of music"
  }
}

extension QueueExplanation.Origin {
  fileprivate var words: String {
    let name = title.map { title in id.map { "\(title) (\($0))" } ?? title } ?? id?.description ?? "single tracks"
    return "\(name), \(Printable.count(tracks, "track"))\(isContinued ? ", by which the queue went on" : "")"
  }
}

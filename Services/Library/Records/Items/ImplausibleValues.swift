package import Model
import MusicTags
import Synchronization

/// The values of a refresh that cannot be right, such as a track of a million years. They are left out, and the rest of
/// the refresh continues.
package final class ImplausibleValues: Sendable {
  package static let code = "library.implausibleValues"

  private let found = Mutex((count: 0, first: ""))

  /// Notes the values, by their names, that were removed from a record.
  func add(_ names: [String], of record: String) {
    guard let name = names.first else { return }
    found.withLock { found in
      if found.count == 0 { found.first = "the \(name) of “\(record.prefix(100))”" }
      found.count += names.count
    }
  }

  /// Returns the problem that a person should know about; nil if all values were plausible.
  package func problem(of source: String) -> LunaraError? {
    let (count, first) = found.withLock { $0 }
    guard count > 0 else { return nil }
    let what = count == 1 ? "A value" : "\(count) values"
    return LunaraError(
      Self.code,
      "\(what) of \(source) cannot be right and \(count == 1 ? "was" : "were") left out, first \(first). Correct that at the server."
    )
  }
}

/// The properties of audio that can be right.
package enum AudioLimits {
  /// In kbit/s.
  package static let bitRates = 1...100_000
  /// In Hz; those of DSD are the highest.
  package static let sampleRates = 1000...100_000_000
  package static let bitDepths = 1...64
  package static let channels = 1...64
  /// The durations that are believed: an audiobook in one file has some days.
  static let durations = Milliseconds.zero...Milliseconds(1000 * 3_600_000)
}

extension AudioProperties {
  /// The properties without a sample rate that cannot be right, with which lengths would be computed.
  var plausible: AudioProperties {
    var properties = self
    if let rate = sampleRate, rate > AudioLimits.sampleRates.upperBound { properties.sampleRate = nil }
    return properties
  }
}

extension Levels {
  /// Removes gains and peaks that cannot have been measured. Returns true if there were any.
  fileprivate mutating func removeImplausible() -> Bool {
    let before = self
    trackGain = trackGain.flatMap { Self.plausibleGains.contains($0) ? $0 : nil }
    albumGain = albumGain.flatMap { Self.plausibleGains.contains($0) ? $0 : nil }
    trackPeak = trackPeak.flatMap { (0...Self.highestPeak).contains($0) ? $0 : nil }
    albumPeak = albumPeak.flatMap { (0...Self.highestPeak).contains($0) ? $0 : nil }
    return self != before
  }
}

extension ServerTrack {
  private static let mostPlays = 1_000_000_000

  package mutating func removeImplausible() -> [String] {
    var names = RecordText.shorten([(\.title, "title")], in: &self)
    if levels?.removeImplausible() == true { names.append("loudness") }
    if levels?.isEmpty == true { levels = nil }
    if !AudioLimits.durations.contains(duration) {
      duration = .zero
      names.append("length")
    }
    if let count = counts?.plays, !(0...Self.mostPlays).contains(count) {
      counts?.plays = nil
      names.append("number of plays")
    }
    return names
  }
}

extension ServerAlbum {
  package mutating func removeImplausible() -> [String] {
    RecordText.shorten([(\.title, "title"), (\.artist, "artist")], in: &self)
  }
}

extension ServerArtist {
  package mutating func removeImplausible() -> [String] { RecordText.shorten([(\.name, "name")], in: &self) }
}

extension ServerList {
  package mutating func removeImplausible() -> [String] { RecordText.shorten([(\.title, "title")], in: &self) }
}

/// The names in records, which are listed in messages of limited size.
private enum RecordText {
  /// The most characters of a name, as in tags of files.
  private static let limit = 1000

  /// Cuts names that are too long, and returns what these are called.
  static func shorten<Record>(
    _ fields: [(path: WritableKeyPath<Record, String>, name: String)], in record: inout Record
  ) -> [String] {
    var names: [String] = []
    for field in fields where record[keyPath: field.path].utf8.count > 4 * limit {
      record[keyPath: field.path] = String(record[keyPath: field.path].unicodeScalars.prefix(limit))
      names.append(field.name)
    }
    return names
  }
}

import Messages
package import Model
package import Storage

/// The rows of pictures: the digest of the bytes that a reference stands for, and the colours. The files are in the
/// folder of pictures, named by these digests.
package enum ArtIndex {
  /// The most rows of covers of described tracks.
  private static let coverLimit: Int64 = 20_000

  /// The colours of an album's cover, for a row of albums `a`.
  static let paletteColumn = "(SELECT p.colours FROM palettes p WHERE p.reference = a.art)"

  /// A picture that was made before.
  package enum IndexedPicture: Equatable, Sendable {
    case digest(String)
    /// It cannot be shown, with the cause.
    case broken(String)
  }

  /// Returns a picture that was made before; nil if it was not.
  package static func find(_ reference: String, size: Int, _ transaction: ReadTransaction) throws -> IndexedPicture? {
    try transaction.row("SELECT digest, problem FROM pictures WHERE reference = ? AND size = ?", reference, size) {
      row in
      if let digest: String = try row.value(0) { return .digest(digest) }
      return .broken(try row.value(1) ?? "it could not be decoded")
    }
  }

  /// Stores that a picture cannot be shown, and why.
  package static func keepBroken(_ reference: String, size: Int, cause: String, _ transaction: Transaction) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO pictures (reference, size, digest, problem) VALUES (?, ?, NULL, ?)", reference, size,
      cause)
  }

  /// Stores the digest and colours of a picture.
  package static func keep(
    _ reference: String, size: Int, digest: String, palette: Palette?, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO pictures (reference, size, digest) VALUES (?, ?, ?)", reference, size, digest)
    guard let palette else { return }
    try transaction.execute(
      "INSERT OR REPLACE INTO palettes (reference, colours) VALUES (?, ?)", reference,
      palette.first + palette.second + palette.dark)
  }

  /// Stores what is wrong with a picture that is shown nevertheless.
  package static func storeProblem(_ reference: String, _ cause: String, _ transaction: Transaction) throws {
    try transaction.execute("UPDATE pictures SET problem = ? WHERE reference = ?", cause, reference)
  }

  /// Stores that another picture is shown instead of one of the music folders, which stays a problem.
  package static func substitute(_ reference: String, with other: String, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE pictures SET digest = (SELECT digest FROM pictures WHERE reference = ? AND size = 0) WHERE reference = ?",
      other, reference)
    try transaction.execute(
      "INSERT OR REPLACE INTO palettes (reference, colours) SELECT ?, colours FROM palettes WHERE reference = ?",
      reference, other)
  }

  /// Returns true if a picture of the music folders cannot be shown, also where another one is shown instead.
  package static func isBroken(_ reference: String, _ transaction: ReadTransaction) throws -> Bool {
    try transaction.value("SELECT problem IS NOT NULL FROM pictures WHERE reference = ? AND size = 0", reference)
      ?? false
  }

  /// Returns covers of albums without a thumbnail yet, those of the newest albums first.
  package static func unseen(_ limit: Int, after: Set<String>, _ transaction: ReadTransaction) throws -> [ArtID] {
    let covers: [String] = try transaction.values(
      """
      SELECT art FROM albums a
      WHERE shelf = id AND art IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pictures p WHERE p.reference = a.art)
      GROUP BY art ORDER BY max(added_at) DESC LIMIT ?
      """, limit + after.count)
    return covers.filter { !after.contains($0) }.prefix(limit).compactMap { ArtID($0) }
  }

  /// Deletes the rows of pictures that nothing refers to any more. Returns the digests and references that remain.
  package static func prune(_ transaction: Transaction) throws -> (digests: Set<String>, references: Set<String>) {
    let live = """
      SELECT art FROM albums WHERE art IS NOT NULL UNION SELECT art FROM artists WHERE art IS NOT NULL
      UNION SELECT source || ':' || art FROM collections WHERE art IS NOT NULL
      UNION SELECT source || ':' || art FROM playlists WHERE art IS NOT NULL
      """
    // Broken pictures in music files stay listed while these hold them, whether they stand for an album or not.
    let broken: [String] = try transaction.values(
      "SELECT reference FROM pictures WHERE problem IS NOT NULL AND reference NOT IN (\(live))")
    let gone = try broken.filter { try ArtID($0).flatMap { try Catalogue.currentFile(of: $0, transaction) } == nil }
    for reference in gone { try transaction.execute("DELETE FROM pictures WHERE reference = ?", reference) }
    // Covers of described tracks are in no row of the catalogue. They go when there are too many, and those files that
    // nobody looks at go before.
    let covers = "\(DescribedTrack.coverSource):*"
    let count: Int64 = try transaction.value("SELECT count(*) FROM pictures WHERE reference GLOB ?", covers) ?? 0
    let isKept = count <= Self.coverLimit ? "AND reference NOT GLOB '\(covers)'" : ""
    try transaction.execute("DELETE FROM pictures WHERE problem IS NULL AND reference NOT IN (\(live)) \(isKept)")
    try transaction.execute("DELETE FROM palettes WHERE reference NOT IN (\(live)) \(isKept)")
    return (
      Set(try transaction.values("SELECT digest FROM pictures WHERE digest IS NOT NULL")),
      Set(try transaction.values(live))
    )
  }

  static func palette(_ text: String?) -> Palette? {
    guard let text, text.utf8.count == 21 else { return nil }
    let colours = stride(from: 0, to: 21, by: 7).map { String(text.dropFirst($0).prefix(7)) }
    return Palette(first: colours[0], second: colours[1], dark: colours[2])
  }
}

/// The origin of a picture of the music folders. Its text changes when the picture does.
package struct ArtReference: Hashable, Sendable {
  package enum Place: Character {
    /// The picture of an artist in a folder.
    case artist = "a"
    /// The cover file of a folder.
    case folder = "c"
    /// The picture in a track's file.
    case track = "e"
  }

  package var place: Place
  /// The number of the folder or the track.
  package var number: Int64
  var mark: String

  static func artist(_ folder: Int64, mark: String) -> Self { Self(place: .artist, number: folder, mark: mark) }
  package static func folder(_ folder: Int64, mark: String) -> Self { Self(place: .folder, number: folder, mark: mark) }
  package static func track(_ track: Int64, mark: String) -> Self { Self(place: .track, number: track, mark: mark) }

  /// The native part of the picture's id.
  package var native: String { "\(place.rawValue)\(number).\(mark)" }
}

extension ArtReference {
  /// Reads a reference from the native part of a picture's id.
  init?(_ native: String) {
    let parts = native.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let place = parts[0].first.flatMap(Place.init(rawValue:)),
      let number = Int64(parts[0].dropFirst())
    else { return nil }
    self.init(place: place, number: number, mark: String(parts[1]))
  }
}

import Model

/// The colours of albums that play, so that the library is asked once for each. Bounded.
actor Palettes {
  private static let most = 64
  private var known: [AlbumID: Palette] = [:]

  /// The colours of an album; `read` is asked where they are not known, and what it throws means that there are none
  /// now.
  func palette(of album: AlbumID, _ read: @Sendable () async throws -> Palette?) async -> Palette? {
    if let found = known[album] { return found }
    do {
      let palette = try await read()
      if known.count >= Self.most { known = [:] }
      known[album] = palette
      return palette
    } catch {
      // The card is shown without them; the next one asks again.
      return nil
    }
  }
}

import Bus
public import Messages
import Model

/// A wish, with what the service of walls knows of its album.
public struct DescribedWish: Codable, Hashable, Sendable, JSONRepresentable {  // memberwise
  /// The wish.
  public var wish: Library.Wish
  /// The date, the cover and the pages about the album; nil if no source outside has named it.
  public var missing: Discovery.MissingAlbum? = nil

  public var json: JSON {
    [
      "id": wish.id, "artist": wish.artist, "album": wish.album, "providers": wish.providers, "addedAt": wish.addedAt,
      "releaseGroup": wish.releaseGroup, "missing": missing,
    ]
  }
}

extension Client {
  /// Returns a page of the wish list, which is the library's. Where the service of walls does not run or answer, the
  /// wishes come without what it knows of them.
  ///
  /// - Throws: the errors of the library.
  public func wishes(_ request: Library.ListWishes) async throws -> Library.Page<DescribedWish> {
    let page = try await ask(request, of: .library)
    let known = page.items.contains { $0.album != nil } ? await knownWishes() : []
    let described = Dictionary(known.map { (Self.key($0.artist, $0.title), $0) }) { first, _ in first }
    return Library.Page(
      items: page.items.map { wish in
        DescribedWish(wish: wish, missing: wish.album.flatMap { described[Self.key(wish.artist, $0)] })
      }, next: page.next)
  }

  private func knownWishes() async -> [Discovery.MissingAlbum] {
    guard nodes().contains(.discovery) else { return [] }
    do {
      return try await ask(Discovery.ListWishes(), of: .discovery, within: .seconds(2)).wishes.map(\.album)
    } catch {
      return []
    }
  }

  private static func key(_ artist: String, _ title: String) -> String { "\(artist)\u{1F}\(title)" }
}

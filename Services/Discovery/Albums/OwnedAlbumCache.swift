package import Model
package import Storage

/// Keeps the albums in memory while walls are read, and for a minute afterwards: a household that looks at no wall
/// keeps nothing.
package actor OwnedAlbumCache {
  private let database: Database
  private let keptFor: Duration
  private var held: (revision: Int64, hour: Int64, view: RankedAlbums)?
  private var uses = 0

  package init(_ database: Database, keptFor: Duration = .seconds(60)) {
    self.database = database
    self.keptFor = keptFor
  }

  /// Returns the albums as they are now. Their orders depend on the time; they are rebuilt every hour.
  package func view(_ taxonomy: Taxonomy, at now: Timestamp) async throws -> RankedAlbums {
    defer { releaseLater() }
    let revision = try await database.read(OwnedAlbumStore.status).revision
    let hour = now.seconds / 3600
    if let held, held.revision == revision, held.hour == hour { return held.view }
    let owned = try await database.read { try OwnedAlbumStore.load(taxonomy, at: now, $0) }
    let view = RankedAlbums(owned, now: hour * 3600)
    held = (revision, hour, view)
    return view
  }

  private func releaseLater() {
    uses += 1
    let use = uses
    Task { [weak self, keptFor] in
      do { try await Task.sleep(for: keptFor) } catch { return }
      await self?.release(ifUnusedSince: use)
    }
  }

  private func release(ifUnusedSince use: Int) {
    if use == uses { held = nil }
  }
}

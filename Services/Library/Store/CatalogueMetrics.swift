import Bus
import Messages
import Model
import Storage

/// What the library shows of its catalogue to whoever keeps figures.
struct CatalogueMetrics: Sendable {
  let database: Database
  let now: @Sendable () -> Timestamp

  /// Adds albums, tracks, problems and the age of the last refresh.
  func register(in metrics: MetricRegistry) {
    metrics.gauge("library_albums", "Albums in the catalogue.") { Double(try await state().albums) }
    metrics.gauge("library_tracks", "Tracks in the catalogue.") { Double(try await state().tracks) }
    metrics.family("library_source_problems", "What is wrong in a source, by its last refresh.", .gauge) {
      try await state().sources.map { .init(Double($0.problemCount), ["source": $0.name]) }
    }
    metrics.family("library_source_age_seconds", "Time since a source was last read completely, in seconds.", .gauge) {
      try await state().sources.compactMap { source in
        source.lastRefreshed.map { .init(max(.zero, now() - $0).seconds, ["source": source.name]) }
      }
    }
  }

  private func state() async throws -> Library.CatalogueState {
    try await database.read(Catalogue.state)
  }
}

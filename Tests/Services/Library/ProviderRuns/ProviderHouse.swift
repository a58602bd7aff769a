import Messages
import Model
import ServiceKit
import TestSupport
import Storage
import Sync
import Testing

@testable import Catalogue
@testable import People
@testable import ProviderRuns
@testable import Records
@testable import Sources

/// A catalogue with a provider in memory that is linked as `fake`.
struct ProviderHouse {
  let catalogue: TestCatalogue
  let provider = FakeProvider()
  /// The kinds of providers; nil for the one in memory.
  var services: [any ProviderService]?
  var folder: ProvidersFolder?

  init(_ parts: [Library.SyncPart: Library.SyncWay] = [.playlists: .both]) async throws {
    catalogue = try TestCatalogue()
    try await link("fake", parts)
  }

  func link(_ name: String, _ parts: [Library.SyncPart: Library.SyncWay]) async throws {
    let now = catalogue.time
    try await catalogue.database.write { transaction in
      var state = ProviderState(pacing: ProviderPacing(linkedAt: now))
      for (part, way) in parts { state[part] = way }
      try ProviderStore.keep(
        ProviderRecord(name: name, kind: "fake", linkedAt: now, state: state), transaction)
    }
  }

  var runner: ProviderRunner {
    ProviderRunner(
      database: catalogue.database, services: services ?? [FakeProviderService(provider: provider)], folder: folder,
      hostID: "h1", folders: MusicFolders([catalogue.tree.root]), log: .quiet, now: { catalogue.time })
  }

  var requests: ProviderRequestHandler {
    ProviderRequestHandler(
      database: catalogue.database, services: services ?? [FakeProviderService(provider: provider)], folder: folder,
      runner: runner, hostID: "h1",
      roots: [], sources: { Library.SourceList(sources: []) }, changed: {}, now: { catalogue.time })
  }

  func record(_ name: String = "fake") async throws -> ProviderRecord {
    try await catalogue.database.read { try ProviderStore.record(name, $0) }
  }

  /// Makes a run, ten minutes after the last, and returns its report.
  @discardableResult
  func run(_ name: String = "fake") async throws -> Library.ProviderReport {
    catalogue.wait(seconds: 600)
    await runner.run(try await record(name))
    let reports = try await catalogue.database.read { try ProviderStore.reports(of: name, limit: 1, $0) }
    return try #require(reports.first)
  }

  func reports() async throws -> Library.ProviderReports {
    try await requests.reports(Library.ReadProviderReports(name: "fake"))
  }

  func playlists() async throws -> [Playlist] {
    try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
  }

  func playlist(_ title: String) async throws -> Playlist {
    try #require(try await playlists().first { $0.title == title }, "no playlist \(title)")
  }

  /// The titles of the entries of a playlist.
  func titles(_ title: String) async throws -> [String] {
    let id = try await playlist(title).id
    return try await catalogue.database.read { transaction in
      try ProviderRun.entries(of: Catalogue.number(of: .playlist, id, transaction), transaction)
    }.map(\.described.title)
  }

  /// Makes a playlist of described tracks.
  @discardableResult
  func make(_ title: String, _ titles: [String]) async throws -> Playlist {
    try await catalogue.edit {
      try $0.create(.init(title: title, described: titles.map { FakeProvider.described($0) }))
    }
  }

  func add(_ titles: [String], to title: String, after: Int64? = nil) async throws {
    let id = try await playlist(title).id
    _ = try await catalogue.edit {
      try $0.add(.init(id: id, ids: [], described: titles.map { FakeProvider.described($0) }, after: after))
    }
  }

  func remove(_ titles: [String], from title: String) async throws {
    let id = try await playlist(title).id
    let entries = try await catalogue.entries(id).filter { titles.contains($0.described?.title ?? "") }.map(\.entry)
    _ = try await catalogue.edit { try $0.remove(.init(id: id, entries: entries)) }
  }

  func wishes() async throws -> [String] {
    try await catalogue.database.read { try WishList.page(.init(), $0) }.items.map { "\($0.artist)/\($0.album ?? "")" }
  }
}

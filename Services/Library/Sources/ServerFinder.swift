import Catalogue
import Messages
import Model
package import Records
package import ServiceKit
package import Storage

/// Finds the server of a source, and the servers that have a track.
package actor ServerFinder {
  struct Copy: Sendable {
    var source: String
    var server: any MusicServer
    var native: String
  }

  private let registry: SourceRegistry
  private let database: Database
  private let log: Log
  private var made: [SourceRecord: any MusicServer] = [:]
  /// The number of calls of `forget`: a server that was being made during one is not kept.
  private var forgotten = 0

  package init(registry: SourceRegistry, database: Database, log: Log) {
    self.registry = registry
    self.database = database
    self.log = log
  }

  /// Forgets the server of a source, whose secret may have changed.
  func forget(_ source: String) {
    forgotten += 1
    made = made.filter { $0.key.name != source }
  }

  /// Returns the server of a source; nil if there is none that can be used.
  package func server(_ source: String) async -> (any MusicServer)? {
    do {
      let known = try await database.read(Catalogue.records).first { $0.name == source }
      guard let record = known else { return nil }
      if let server = made[record] { return server }
      let forgotten = forgotten
      guard let server = try await (registry.source(record) as? ServerSource)?.server else { return nil }
      guard forgotten == self.forgotten else { return server }
      made = made.filter { $0.key.name != source }
      made[record] = server
      return server
    } catch {
      log.debug("\(LunaraError(error))", ["source": source])
      return nil
    }
  }

  /// Returns the servers that have a copy of a track and show now-playing reports, each once, with their own ids of the
  /// track. The track itself may be a file of this host.
  func find(_ track: TrackID) async -> [Copy] {
    let kinds = registry.kinds
    do {
      let copies = try await database.read { transaction in
        let records = try Catalogue.records(transaction)
        return try PlayOutbox.copies(of: track, transaction).filter { copy in
          records.contains { $0.name == copy.id.source && kinds.can(.nowPlaying, $0.kind) }
        }
      }
      var found: [Copy] = []
      for (id, native) in copies {
        guard let server = await server(id.source) else { continue }
        found.append(Copy(source: id.source, server: server, native: native))
      }
      return found
    } catch {
      log.debug("\(LunaraError(error))")
      return []
    }
  }
}

import Catalogue
package import Messages
package import Model
import Records
package import Storage
import System

/// Reads all tags of the files of tracks when somebody asks for them, as they stand there.
package struct AllTagsReader: Sendable {
  let database: Database
  let tagReaders: TagReaders

  package init(database: Database, tagReaders: TagReaders) {
    self.database = database
    self.tagReaders = tagReaders
  }

  /// Returns all tags of a track's file: of the requested copy, else of the best copy that is a file.
  ///
  /// - Throws: `library.unknownID`; `library.noFileTags` where servers alone have the track; `library.fileMissing` and
  ///   `library.noTagReader`.
  package func tags(of id: TrackID) async throws -> Library.TrackTags {
    let files = try await database.read { try Catalogue.copies(of: id, $0) }.compactMap { copy in
      copy.path.map { (id: copy.id, path: $0) }
    }
    guard let copy = files.first(where: { $0.id == id }) ?? files.first else {
      throw LunaraError(
        "library.noFileTags",
        "The track \(id) is on a server, and only files in music folders have tags. `lunara track \(id)` shows what the server says of it."
      )
    }
    let tagReaders = tagReaders
    let all = try await BlockingThreads.perform {
      let result = try tagReaders.allTags(
        in: try MusicFile.openMusic(copy.path, encoding: tagReaders.encodings.number(at: copy.path.bytes)))
      do { return try result.get() } catch {
        throw LunaraError(
          "library.fileMissing", "The tags in \(copy.path) cannot be read. Try again later.", cause: "\(error)")
      }
    }
    // Control characters make JSON longer than the tags are.
    var budget = PageBudget(items: .max, reserved: 3 * copy.path.bytes.count + 200)
    let shown = all.tags.prefix { budget.admits(40 + PageBudget.size([$0.kind, $0.name, $0.value])) }
    let omitted = all.omitted + all.tags.count - shown.count
    return Library.TrackTags(id: copy.id, path: copy.path, tags: Array(shown), omitted: omitted > 0 ? omitted : nil)
  }
}

import Bus
package import Catalogue
import Glibc
import Messages
package import Model
package import Records
package import Storage
import Synchronization

/// The music in folders of this host.
package struct FilesSource: Sendable {
  /// Its name, the first part of its ids.
  package static let name = MusicFolders.source
  static let kind = MusicFolders.source
  /// The description of this kind of source. The library itself makes its only source.
  package static let descriptor = SourceDescriptor(
    Library.SourceKind(
      kind: kind, title: "Folders", hint: "Folders of music on the machine that runs the library.",
      settings: [
        .init(
          key: "address", title: "Folder", meaning: "the folder's whole path on that machine", name: "LUNARA_MUSIC",
          isRequired: true)
      ], capabilities: [.notifications]))
  /// The number of threads that read, each with a tag reader of its own: most of them wait for the disk, and two keep
  /// the processor busy.
  private static let readers = 4

  let database: Database
  let publisher: ChangePublisher
  let folders: MusicFolders
  let tagReaders: TagReaders
  /// The watcher to which each refresh gives the folders; nil if nothing watches them.
  var watch: FolderWatch?
  /// Knows which folders do not answer.
  let silent: SilentFolders
  let now: @Sendable () -> Timestamp

  package init(
    database: Database, publisher: ChangePublisher, folders: MusicFolders, tagReaders: TagReaders,
    watch: FolderWatch? = nil, silent: SilentFolders? = nil, now: @escaping @Sendable () -> Timestamp
  ) {
    self.database = database
    self.publisher = publisher
    self.folders = folders
    self.tagReaders = tagReaders
    self.watch = watch
    self.silent = silent ?? watch?.silent ?? SilentFolders()
    self.now = now
  }
}

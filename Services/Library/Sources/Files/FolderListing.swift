import Model
import System
import Text

/// The contents of one folder, read from the disk.
struct FolderListing {
  /// A file with music, or a symbolic link to one.
  struct Entry: Sendable {
    var name: [UInt8]
    var stamp: FileStamp
    var isLink: Bool
  }

  var device: Int64 = 0
  var inode: Int64 = 0
  var audio: [Entry] = []
  var subfolders: [[UInt8]] = []
  /// Symbolic links to folders.
  var links: [[UInt8]] = []
  var cover: Cover?
  /// The picture of the artist of what lies below.
  var artistPicture: Cover?

  /// Reads a folder, without what is below it. `shouldRead` says whether to go on once it is known which folder it is;
  /// the result is nil where it says no.
  init?(_ path: [UInt8], shouldRead: (_ device: Int64, _ inode: Int64) -> Bool) throws(Errno) {
    let reader = try FolderReader(LocalPath(bytes: path))
    let status = try reader.status()
    device = Int64(bitPattern: status.device)
    inode = FileStamp(status).inode
    guard shouldRead(device, inode) else { return nil }
    var bestCover: (rank: Int, name: [UInt8])?
    var bestArtist: (rank: Int, name: [UInt8])?
    while let entry = try reader.next() {
      let name = entry.name
      if FileName.isPassedOver(name) { continue }
      if let rank = Cover.rank(name), bestCover.map({ (rank, name) < $0 }) ?? true { bestCover = (rank, name) }
      if let rank = ArtistPicture.rank(name), bestArtist.map({ (rank, name) < $0 }) ?? true {
        bestArtist = (rank, name)
      }
      add(entry, of: reader)
    }
    cover = bestCover.flatMap { Self.picture($0.name, of: reader) }
    artistPicture = bestArtist.flatMap { Self.picture($0.name, of: reader) }
  }

  private static func picture(_ name: [UInt8], of reader: FolderReader) -> Cover? {
    guard let status = status(name, of: reader, followingLinks: true), status.kind == .regular else { return nil }
    return Cover(name: name, mark: FileStamp(status).mark)
  }

  private mutating func add(_ entry: FolderReader.Entry, of reader: FolderReader) {
    let name = entry.name
    // Some file systems do not give the kind while listing.
    let status = entry.kind == nil ? Self.status(name, of: reader, followingLinks: false) : nil
    switch entry.kind ?? status?.kind {
    case .folder: subfolders.append(name)
    case .symbolicLink:
      guard let target = Self.status(name, of: reader, followingLinks: true) else { return }
      if target.kind == .folder {
        links.append(name)
      } else if target.kind == .regular, AudioFormat(fileName: name) != nil {
        audio.append(Entry(name: name, stamp: FileStamp(target), isLink: true))
      }
    case .regular:
      guard AudioFormat(fileName: name) != nil,
        let status = status ?? Self.status(name, of: reader, followingLinks: false), status.kind == .regular
      else { return }
      audio.append(Entry(name: name, stamp: FileStamp(status), isLink: false))
    case .other, nil:
      // To open a pipe, a socket or a device could block for ever.
      return
    }
  }

  /// Returns the status of an entry; nil for one that is gone by now.
  private static func status(_ name: [UInt8], of reader: FolderReader, followingLinks: Bool) -> FileStatus? {
    do { return try reader.status(of: name, followingLinks: followingLinks) } catch { return nil }
  }
}

private func < (left: (rank: Int, name: [UInt8]), right: (rank: Int, name: [UInt8])) -> Bool {
  left.rank != right.rank ? left.rank < right.rank : left.name.lexicographicallyPrecedes(right.name)
}

/// The properties by which a file is recognised as unchanged.
struct FileStamp: Hashable, Sendable {
  var inode: Int64
  var size: Int64
  /// The time of its last change, in nanoseconds since 1970.
  var modified: Int64

  init(inode: Int64, size: Int64, modified: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  /// Reads the status of a file. The bits of a number above 2^63 are kept, its sign is not: it is only compared.
  init(_ status: FileStatus) {
    (inode, size, modified) = (Int64(bitPattern: status.inode), status.size, status.modified)
  }

  /// A short text that differs when the file differs: part of a picture's reference.
  var mark: String {
    var hash = FNV1a()
    for number in [inode, size, modified] { hash.combine(littleEndian: number) }
    return String(hash.value, radix: 36)
  }
}

/// A picture in a folder that stands for the album in it.
struct Cover: Hashable, Sendable {
  /// The file's name.
  var name: [UInt8]
  /// A text that differs when the picture differs.
  var mark: String

  private static let stems = ["cover", "folder", "front"]
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]

  /// Returns the rank of a file of this name as a cover, 0 being the best; nil where it is none.
  static func rank(_ name: [UInt8]) -> Int? {
    guard let ending = FileName.ending(name).flatMap({ endings.firstIndex(of: $0) }),
      let stem = stems.firstIndex(of: FileName.stem(name).caseFolded)
    else { return nil }
    return stem * endings.count + ending
  }
}

/// A picture in a folder that stands for the artist of all that lies below it.
enum ArtistPicture {
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]

  /// Returns the rank of a file of this name as an artist's picture, 0 being the best; nil where it is none.
  static func rank(_ name: [UInt8]) -> Int? {
    guard let ending = FileName.ending(name).flatMap({ endings.firstIndex(of: $0) }),
      FileName.stem(name).caseFolded == "artist"
    else { return nil }
    return ending
  }
}

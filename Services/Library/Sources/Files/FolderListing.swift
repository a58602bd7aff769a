import Glibc
import Model

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

  /// The kernel's error number where a folder cannot be read.
  struct Failure: Error {
    var number: Int32
  }

  /// Reads a folder, without what is below it. `shouldRead` says whether to go on once it is known which folder it is.
  init?(_ path: [UInt8], shouldRead: (_ device: Int64, _ inode: Int64) -> Bool) throws(Failure) {
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(number: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let stream = fdopendir(descriptor) else {
      let number = errno
      close(descriptor)
      throw Failure(number: number)
    }
    defer { closedir(stream) }
    device = Int64(bitPattern: UInt64(status.st_dev))
    inode = FileStamp(status).inode
    guard shouldRead(device, inode) else { return nil }
    var bestCover: (rank: Int, name: [UInt8])?
    var bestArtist: (rank: Int, name: [UInt8])?
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw Failure(number: errno) }
        break
      }
      let name = Self.name(entry)
      if FileName.isPassedOver(name) { continue }
      if let rank = Cover.rank(name), bestCover.map({ (rank, name) < $0 }) ?? true { bestCover = (rank, name) }
      if let rank = ArtistPicture.rank(name), bestArtist.map({ (rank, name) < $0 }) ?? true {
        bestArtist = (rank, name)
      }
      take(name, kind: Int32(entry.pointee.d_type), in: descriptor)
    }
    cover = bestCover.flatMap { Self.picture($0.name, in: descriptor) }
    artistPicture = bestArtist.flatMap { Self.picture($0.name, in: descriptor) }
  }

  private static func picture(_ name: [UInt8], in descriptor: Int32) -> Cover? {
    guard let status = status(name, in: descriptor, followingLinks: true), status.isRegular else { return nil }
    return Cover(name: name, mark: FileStamp(status).mark)
  }

  private mutating func take(_ name: [UInt8], kind: Int32, in descriptor: Int32) {
    var kind = kind
    var status: stat?
    if kind == Self.unknownKind {
      // Some file systems do not say it while listing.
      status = Self.status(name, in: descriptor, followingLinks: false)
      kind = status.map { $0.isFolder ? Self.folderKind : $0.isLink ? Self.linkKind : Self.fileKind } ?? kind
    }
    switch kind {
    case Self.folderKind: subfolders.append(name)
    case Self.linkKind:
      guard let target = Self.status(name, in: descriptor, followingLinks: true) else { return }
      if target.isFolder {
        links.append(name)
      } else if target.isRegular, AudioFormat(fileName: name) != nil {
        audio.append(Entry(name: name, stamp: FileStamp(target), isLink: true))
      }
    case Self.fileKind:
      guard AudioFormat(fileName: name) != nil,
        let status = status ?? Self.status(name, in: descriptor, followingLinks: false), status.isRegular
      else { return }
      audio.append(Entry(name: name, stamp: FileStamp(status), isLink: false))
    default:
      // Pipes, sockets and devices: to open one could block for ever.
      return
    }
  }

  // The numbers of dirent.h, which are an anonymous enumeration in C.
  private static let unknownKind: Int32 = 0
  private static let folderKind: Int32 = 4
  private static let fileKind: Int32 = 8
  private static let linkKind: Int32 = 10

  private static func name(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // The tuple's type says 256 bytes; what follows it in memory is never read, as the name ends with a NUL.
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
  }

  private static func status(_ name: [UInt8], in descriptor: Int32, followingLinks: Bool) -> stat? {
    var status = stat()
    let result = fstatat(descriptor, name.cString, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    return result == 0 ? status : nil
  }
}

extension stat {
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
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

  /// Takes what the kernel says. The bits of a number above 2^63 are kept, its sign is not: it is only compared.
  init(_ status: stat) {
    inode = Int64(bitPattern: UInt64(status.st_ino))
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// A short text that differs when the file differs: part of a picture's reference.
  var mark: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in [inode, size, modified] {
      for shift in stride(from: 0, to: 64, by: 8) {
        hash = (hash ^ UInt64(truncatingIfNeeded: number >> shift) & 255) &* 0x100_0000_01b3
      }
    }
    return String(hash, radix: 36)
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

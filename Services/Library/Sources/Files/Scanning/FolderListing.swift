import Model
import MusicTags
import Records
import System
import Text

/// The contents of one folder, read from the disk.
struct FolderListing: Sendable {
  var device: Int64 = 0
  var inode: Int64 = 0
  /// The time of the folder's last change, as the scan saw it.
  var time: FolderTime
  var audio: [FolderEntry] = []
  /// The CUE sheets.
  var sheets: [FolderEntry] = []
  /// The list files.
  var lists: [FolderEntry] = []
  var subfolders: [[UInt8]] = []
  /// Symbolic links to folders.
  var links: [[UInt8]] = []
  var cover: Cover?
  var artistPicture: Cover?
  /// The rules for the folder's subfolders; nil without any.
  var rules: IgnoreRules?
  /// The ignore files that could not be read, and count as empty of patterns.
  var unreadIgnoreFiles: [(file: IgnoreFile, error: TextFailure)] = []
  /// The entries of which the disk did not say what they are now, with its errors.
  private(set) var unseen: [(name: [UInt8], error: Errno)] = []
  /// The files and folders in it that are not taken.
  private(set) var leftOut: [LeftOut] = []
  /// The LRC files beside music of the same name, without their ending.
  private(set) var lyrics: [[UInt8]] = []
  /// The status of files that were looked at together, while the folder is read.
  private var statuses: [[UInt8]: FileStatus] = [:]
  /// The files that are neither music nor CUE sheets, while the folder is read.
  private var others: [[UInt8]] = []

  /// A digest of all that the catalogue uses of the folder: names and stamps of its files, and its pictures. 0 if links
  /// to files are in it, since other folders decide whether these are listed, and if some entries were not seen.
  var digest: Int64 {
    if audio.contains(where: \.isLink) || !unseen.isEmpty { return 0 }
    var hash = FNV1a()
    hash.combine(littleEndian: Self.sum(audio))
    hash.combine(littleEndian: sheetsDigest)
    if !lists.isEmpty { hash.combine(littleEndian: Self.sum(lists)) }
    hash.combine(littleEndian: device)
    for picture in [cover, artistPicture] {
      if let picture {
        hash.combine(picture.name)
        hash.combine(picture.mark.utf8)
      }
      hash.combine(0)
    }
    for name in lyrics.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      hash.combine(name)
      hash.combine(0)
    }
    return hash.value == 0 ? 1 : Int64(bitPattern: hash.value)
  }

  /// The error for which sheets cannot be matched with the music: one of them was not seen, or they might be taken for
  /// those of other files. Nil without sheets, and where all was seen.
  var errorOfSheets: Errno? {
    let unseenSheet = unseen.first { CueSheet.isName($0.name) }
    let unseenMusic = sheets.isEmpty ? nil : unseen.first { AudioFormat.reader(fileName: $0.name) != nil }
    return (unseenSheet ?? unseenMusic)?.error
  }

  /// A digest of the CUE sheets; 0 without any.
  var sheetsDigest: Int64 { Int64(bitPattern: Self.sum(sheets)) }

  /// Returns a digest of files that does not depend on the order in which the disk lists them.
  private static func sum(_ entries: [FolderEntry]) -> UInt64 {
    var sum: UInt64 = 0
    for entry in entries {
      var hash = FNV1a()
      hash.combine(entry.name)
      hash.combine(littleEndian: entry.stamp.inode)
      hash.combine(littleEndian: entry.stamp.size)
      hash.combine(littleEndian: entry.stamp.modified)
      hash.combine(littleEndian: entry.stamp.changed)
      sum &+= hash.value
    }
    return sum
  }

  /// True if neither music nor a list or a picture is in it.
  var isBare: Bool { audio.isEmpty && unseen.isEmpty && lists.isEmpty && cover == nil && artistPicture == nil }

  /// Reads a folder, without its subfolders and without the files that ignore files leave out.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - rules: the rules of the folders above.
  ///   - boundary: decides which ignore files are read.
  ///   - width: the most requests at once.
  ///   - stamp: returns the stamp of a file.
  ///   - answered: called when the file system has answered a request.
  ///   - shouldRead: gets the folder's device and inode. The listing is nil if it returns false.
  init?(
    _ path: [UInt8], rules: IgnoreRules? = nil, within boundary: FolderBoundary,
    width: Int = 1, stamp: (FileStatus) -> FileStamp = { FileStamp($0) },
    answered: @escaping @Sendable () -> Void = {}, shouldRead: (_ device: Int64, _ inode: Int64) -> Bool
  ) throws(Errno) {
    let begin = Timestamp.now()
    let reader = try FolderReader(LocalPath(bytes: path), answered: answered)
    let status = try reader.status()
    device = Int64(bitPattern: status.device)
    time = FolderTime(device: device, modified: status.modified, at: begin)
    inode = Int64(bitPattern: status.inode)
    guard shouldRead(device, inode) else { return nil }
    var covers: [(rank: Int, name: [UInt8])] = []
    var pictures: [[UInt8]] = []
    var artists: [(rank: Int, name: [UInt8])] = []
    self.rules = rules
    var entries: [FolderReader.Entry] = []
    while let entry = try reader.next() {
      time.add(name: entry.name)
      if let file = IgnoreFile(name: entry.name) {
        add(file, of: path, within: boundary)
      } else if FileName.isPassedOver(entry.name) {
        leftOut.add(entry.name, by: entry.name.first == UInt8(ascii: ".") ? .hidden : .system)
      } else {
        entries.append(entry)
      }
    }
    if let file = self.rules?.fileThatIgnoresAll {
      for entry in entries { leftOut.add(entry.name, by: .ignoreFile(file)) }
      return
    }
    if width > 1 {
      let files = entries.filter { $0.kind == nil || $0.kind == .regular && Self.isTaken($0.name) }
      statuses = reader.statuses(of: files.map(\.name), width: width)
    }
    defer { statuses = [:] }
    for entry in entries {
      guard add(entry, of: path, reader, stamp) else { continue }
      if let rank = Cover.rank(entry.name) { covers.append((rank, entry.name)) }
      if let rank = Cover.rankOfArtist(entry.name) {
        artists.append((rank, entry.name))
      } else if Cover.isPicture(entry.name) {
        pictures.append(entry.name)
      }
    }
    cover = Cover.best(covers, of: reader, stamp)
    artistPicture = Cover.best(artists, of: reader, stamp)
    defer { countUnused(in: path) }
    guard cover == nil, holdsAlbum else { return }
    cover = Cover.front(of: path, in: subfolders, rules: self.rules, stamp)
    if cover == nil, pictures.count == 1 { cover = Cover.best(pictures.map { (0, $0) }, of: reader, stamp) }
  }

  /// True if the tracks of an album are in the folder, or in subfolders for its discs.
  private var holdsAlbum: Bool {
    audio.isEmpty ? subfolders.contains { FileName.disc(ofFolder: $0)?.album.isEmpty == true } : true
  }

  private mutating func add(_ file: IgnoreFile, of path: [UInt8], within boundary: FolderBoundary) {
    do throws(TextFailure) {
      let text = try file.read(of: path, within: boundary)
      rules = rules ?? IgnoreRules()
      rules?.add(file, text, of: path)
    } catch {
      unreadIgnoreFiles.append((file, error))
    }
  }

  private func isFolder(_ entry: FolderReader.Entry, of reader: FolderReader) throws(Errno) -> Bool {
    switch entry.kind {
    case .folder: true
    case .regular, .other: false
    case .symbolicLink, nil: try Self.status(entry.name, of: reader, followingLinks: true)?.kind == .folder
    }
  }

  /// Adds an entry, and returns true, unless an ignore file leaves it out.
  private mutating func add(
    _ entry: FolderReader.Entry, of path: [UInt8], _ reader: FolderReader, _ stamp: (FileStatus) -> FileStamp
  ) -> Bool {
    let name = entry.name
    do throws(Errno) {
      if let rules, let file = rules.fileThatIgnores(name, in: path, isFolder: try isFolder(entry, of: reader)) {
        leftOut.add(name, by: .ignoreFile(file))
        return false
      }
      try sort(entry, of: reader, stamp)
    } catch {
      unseen.append((name, error))
    }
    return true
  }

  /// Adds an entry to the others of its kind.
  private mutating func sort(
    _ entry: FolderReader.Entry, of reader: FolderReader, _ stamp: (FileStatus) -> FileStamp
  ) throws(Errno) {
    let name = entry.name
    // Some file systems do not give the kind while listing.
    var status = statuses[name]
    if status == nil, entry.kind == nil { status = try Self.status(name, of: reader, followingLinks: false) }
    switch entry.kind ?? status?.kind {
    case .folder: subfolders.append(name)
    case .symbolicLink:
      guard let target = try Self.status(name, of: reader, followingLinks: true) else { return }
      if target.kind == .folder {
        links.append(name)
      } else if target.kind == .regular, Self.isTaken(name) {
        add(FolderEntry(name: name, stamp: stamp(target), isLink: true))
      } else {
        others.append(name)
      }
    case .regular:
      guard Self.isTaken(name) else { return others.append(name) }
      if status == nil { status = try Self.status(name, of: reader, followingLinks: false) }
      guard let status, status.kind == .regular else { return }
      add(FolderEntry(name: name, stamp: stamp(status), isLink: false))
    case .other, nil:
      // Opening a pipe, a socket or a device could block for ever.
      if entry.kind != nil || status != nil { others.append(name) }
    }
  }

  private static func isTaken(_ name: [UInt8]) -> Bool {
    AudioFormat.reader(fileName: name) != nil || CueSheet.isName(name) || ScannedList.isName(name)
  }

  /// Counts the files that are neither music nor used otherwise: not as a cover or a picture of an artist, and not as
  /// lyrics or corrections beside music of the same name.
  private mutating func countUnused(in path: [UInt8]) {
    defer { others = [] }
    let isForPictures = Cover.isPictureFolder(FilePath.name(path))
    var stems: Set<String>?
    for name in others {
      if Cover.isPicture(name) {
        let isFront = isForPictures && FileName.stem(name).lowercased().hasPrefix("front")
        if isFront || Cover.rank(name) != nil || Cover.rankOfArtist(name) != nil || name == cover?.name { continue }
      } else if let ending = FileName.ending(name), Self.companions.contains(ending) {
        let known = stems ?? Set(audio.map { FileName.stem($0.name) })
        stems = known
        if known.contains(FileName.stem(name)) {
          if LyricsFile.isName(name) { lyrics.append(LyricsFile.stem(name)) }
          continue
        }
      }
      leftOut.add(name, by: .noMusic)
    }
  }

  /// The endings of lyrics and of what makes hybrid WavPack files lossless.
  private static let companions: Set<String> = ["lrc", "wvc"]

  private mutating func add(_ entry: FolderEntry) {
    if AudioFormat.reader(fileName: entry.name) != nil { audio.append(entry) }
    if CueSheet.isName(entry.name) { sheets.append(entry) }
    if ScannedList.isName(entry.name) { lists.append(entry) }
  }

  /// Returns the status of an entry; nil for one that is gone by now, or that leads nowhere.
  private static func status(
    _ name: [UInt8], of reader: FolderReader, followingLinks: Bool
  ) throws(Errno) -> FileStatus? {
    do throws(Errno) { return try reader.status(of: name, followingLinks: followingLinks) } catch {
      if error.isMissingFile || error == .tooManySymbolicLinkLevels || error == .nameTooLong { return nil }
      throw error
    }
  }
}

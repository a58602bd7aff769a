import Glibc
import Model
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// A temporary folder of music. File names are bytes, so that any name can be tested.
final class MusicTree: Sendable {
  private let folder = TemporaryDirectory()

  /// The music folder.
  let root: [UInt8]

  init(_ name: String = "music") throws {
    root = Array("\(folder.path)/\(name)".utf8)
    try make(folder: root)
  }

  /// Another folder beside the music.
  func beside(_ name: String) -> String { "\(folder.path)/\(name)" }

  func path(_ name: String) -> [UInt8] { FilePath.join(root, Array(name.utf8)) }

  /// Writes a file and the folders above it.
  func write(_ bytes: [UInt8], to path: [UInt8]) throws {
    try make(folder: try #require(FilePath.parent(path)))
    let descriptor = Glibc.open(path.cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0, "\(LocalPath(bytes: path)): \(String(cString: strerror(errno)))")
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  func write(_ bytes: [UInt8], to name: String) throws { try write(bytes, to: path(name)) }

  /// Writes a FLAC file with these tags, given as `NAME=value`.
  func flac(
    _ name: String, _ tags: [String], seconds: Double = 180, picture: [UInt8]? = nil,
    quality: FLACFile.Quality = .init()
  ) throws {
    try write(FLACFile.bytes(tags, seconds: seconds, picture: picture, quality: quality), to: name)
  }

  /// Writes an MP3 file with these frames of an ID3 tag.
  func mp3(_ name: String, _ frames: [(String, String)], seconds: Double = 180) throws {
    try write(ID3Tag.bytes(frames) + MP3File.audio(seconds: seconds), to: name)
  }

  /// Sets the time of a file's last change, as `touch -d` does.
  func set(modified seconds: Int, of name: String) throws {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path(name).cString, [time, time], 0) == 0)
  }

  /// Writes an album of FLAC files: `01.flac` and so on.
  func album(
    _ name: String, _ tags: [String], tracks: Int = 3, picture: [UInt8]? = nil, quality: FLACFile.Quality = .init()
  ) throws {
    for number in 1...tracks {
      let own = ["TITLE=Song \(number) of \(name)", "TRACKNUMBER=\(number)"]
      try flac("\(name)/0\(number).flac", own + tags, picture: picture, quality: quality)
    }
  }

  func move(_ old: String, to new: String) throws {
    try make(folder: try #require(FilePath.parent(path(new))))
    try #require(rename(path(old).cString, path(new).cString) == 0)
  }

  /// Removes a file, or a folder with its contents.
  func remove(_ name: String) throws { try remove(path(name)) }

  func remove(_ path: [UInt8]) throws {
    var status = stat()
    try #require(lstat(path.cString, &status) == 0)
    guard status.st_mode & S_IFMT == S_IFDIR else {
      try #require(unlink(path.cString) == 0)
      return
    }
    let stream = try #require(opendir(path.cString))
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    closedir(stream)
    for name in names where name != Array(".".utf8) && name != Array("..".utf8) {
      try remove(FilePath.join(path, name))
    }
    try #require(rmdir(path.cString) == 0)
  }

  func link(_ name: String, to target: String) throws {
    try make(folder: try #require(FilePath.parent(path(name))))
    try #require(symlink(target, LocalPath(bytes: path(name)).description) == 0)
  }

  func make(folder path: [UInt8]) throws {
    var made: [UInt8] = []
    for part in path.split(separator: UInt8(ascii: "/")) {
      made += [UInt8(ascii: "/")] + part
      if mkdir(made.cString, 0o755) != 0 { try #require(errno == EEXIST) }
    }
  }

  /// Opens a file as the tag readers get it.
  func open(_ name: String) throws -> OpenMusicFile {
    let descriptor = try Descriptor(opening: LocalPath(bytes: path(name)), O_RDONLY)
    return OpenMusicFile(name: Array(name.utf8), descriptor: descriptor, status: try descriptor.status())
  }

  func bytes(of name: String) throws -> [UInt8] {
    let descriptor = Glibc.open(path(name).cString, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    try #require(read(descriptor, &bytes, bytes.count) == bytes.count)
    return bytes
  }
}

import Glibc
import Model
import Synchronization
import System

/// A file that is already open.
final class FileInput: AudioInput {
  let size: Int64?
  let isSeekable = true

  /// The open file; nil once the input was cancelled. libmpv keeps an input that it has opened in advance even when it
  /// is stopped, and a disk with an open file cannot be unmounted.
  private let file: Mutex<Descriptor?>
  private let offset = Mutex<Int64>(0)

  /// Takes a descriptor from `open`, which several inputs may share.
  init(_ file: Descriptor) throws(InputFailure) {
    do throws(Errno) { size = try file.status().size } catch {
      throw .unusable(Self.unreadable("A file", cause: error))
    }
    self.file = Mutex(file)
  }

  /// Opens the file of a track. Blocks while a disk starts, so do not call it in Swift's cooperative thread pool.
  ///
  /// Symbolic links are followed, as people put their music behind links. Throws `playback.fileMissing`,
  /// `playback.fileUnreadable`, and `playback.notAudio` for what is not a regular file.
  static func open(_ path: LocalPath) throws(LunaraError) -> Descriptor {
    let (file, kind): (Descriptor, FileStatus.Kind)
    do throws(Errno) {
      // Without O_NONBLOCK, opening a named pipe would wait for its writer.
      file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      kind = try file.status().kind
    } catch {
      throw error.isMissingFile
        ? LunaraError(
          "playback.fileMissing", "The file \(path) is not there. Is its disk connected? `lunara sync` looks again.")
        : unreadable("The file \(path)", cause: error)
    }
    guard kind == .regular else {
      throw LunaraError("playback.notAudio", "\(path) is not a file but a folder or a device. Choose another track.")
    }
    return file
  }

  private static func unreadable(_ file: String, cause: Errno) -> LunaraError {
    LunaraError("playback.fileUnreadable", "\(file) cannot be read. Check its rights and its disk.", cause: cause)
  }

  func head(_ count: Int) throws(InputFailure) -> [UInt8] {
    let file = try openFile()
    do throws(Errno) { return try file.readBytes(upTo: count, at: 0) } catch {
      throw .unusable(Self.unreadable("The file of this track", cause: error))
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    let file = try openFile()
    let count = offset.withLock { offset in
      let count = pread(file.number, buffer.baseAddress, buffer.count, Int(offset))
      if count > 0 { offset += Int64(count) }
      return count
    }
    guard count >= 0 else { throw .unusable(Self.unreadable("The file of this track", cause: .current)) }
    return count
  }

  func seek(to offset: Int64) throws(InputFailure) { self.offset.withLock { $0 = max(0, offset) } }

  /// Closes the file as well, at the end of a read that is under way.
  func cancel() { file.withLock { $0 = nil } }

  private func openFile() throws(InputFailure) -> Descriptor {
    guard let file = file.withLock({ $0 }) else { throw .cancelled }
    return file
  }
}

import AudioDigests
import CPlatform
import CTagLib
import Glibc
import System

// Reads mutated music files as `lunara-tags` does: the functions that libFuzzer calls (llvm.org/docs/LibFuzzer.html).
// The first byte of an input chooses the ending of the file's name, the rest is the file.

private let endings = [
  "flac", "mp3", "ogg", "opus", "m4a", "wav", "aif", "wma", "wv", "ape", "mpc", "tta", "spx", "oga", "aac", "dsf",
  "dff", "mod", "xm", "it", "s3m", "mka",
]

/// The reader and the file in memory that all inputs share. `nonisolated(unsafe)` is safe because (1) libFuzzer
/// calls the entry point with one input after the other, on one thread; (2) nothing else uses the reader.
private nonisolated(unsafe) let reader = lunara_tag_reader_make()
private let memory = Descriptor(owning: lunara_memory_file("fuzz"))

/// Reads the tags, the picture, the lyrics, all tags as they stand, the digest of the sound and its end of one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func feed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let start, count > 1, let reader else { return 0 }
  let size = count - 1
  guard ftruncate(memory.number, 0) == 0, pwrite(memory.number, start + 1, size, 0) == size else { return 0 }
  let name = "x." + endings[Int(start.pointee) % endings.count]
  var (tags, picture, lyrics, all) = (lunara_tags(), lunara_picture(), lunara_lyrics(), lunara_all_tags())
  if lunara_tags_read(reader, memory.number, name, Int64(size), &tags) == LUNARA_TAG_OK, let text = tags.text {
    // All that it gives has to be readable.
    precondition(UnsafeRawBufferPointer(start: text, count: tags.text_length).reduce(0) { $0 &+ Int($1) } >= 0)
  }
  _ = lunara_picture_read(reader, memory.number, name, Int64(size), &picture)
  _ = lunara_lyrics_read(reader, memory.number, name, Int64(size), &lyrics)
  if lunara_all_tags_read(reader, memory.number, name, Int64(size), &all) == LUNARA_TAG_OK, let text = all.text {
    precondition(UnsafeRawBufferPointer(start: text, count: all.length).reduce(0) { $0 &+ Int($1) } >= 0)
  }
  do {
    _ = try AudioDigest.of(memory, size: size)
    _ = try AudioTruncation.isTruncated(memory, size: size)
  } catch {
    preconditionFailure("a file in memory cannot be read: \(error)")
  }
  return 0
}

import Glibc

// The functions that libFuzzer calls (llvm.org/docs/LibFuzzer.html). A violation aborts the program, which libFuzzer
// reports.

/// Writes the corpus and the dictionary where `LUNARA_FUZZ_SEEDS` names a folder, and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
  guard let folder = getenv("LUNARA_FUZZ_SEEDS").map({ String(cString: $0) }) else { return 0 }
  do {
    for (number, input) in try Corpus.inputs().enumerated() { save(input, as: "\(folder)/seed-\(number)") }
    save(Array(Corpus.dictionary.utf8), as: "\(folder).dictionary")
  } catch {
    preconditionFailure("the seeds cannot be made: \(error)")
  }
  exit(0)
}

/// Feeds one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func feed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do { _ = try Entry.feed(UnsafeBufferPointer(start: start, count: count)) } catch {
    preconditionFailure("\(error)")
  }
  return 0
}

private func save(_ bytes: [UInt8], as path: String) {
  guard let file = fopen(path, "we"), fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
    preconditionFailure("\(path) cannot be written")
  }
}

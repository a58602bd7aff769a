import Glibc
import Model
import TestSupport
import Testing

/// Real audio files, made by ffmpeg in a temporary folder.
final class Audio: Sendable {
  let folder = TemporaryDirectory()

  /// Makes a sine of `seconds`, in the format of the name's extension.
  func sine(_ name: String, seconds: Double, from start: Double = 0, rate: Int = 44100) async throws -> LocalPath {
    try await ffmpeg([
      "-f", "lavfi", "-i", "sine=frequency=441:sample_rate=\(rate):duration=\(start + seconds)", "-ss", "\(start)",
      "-ac", "2", "-sample_fmt", "s16", path(name),
    ])
    return LocalPath(path(name))
  }

  /// Makes noise of `seconds`, of which no two parts are alike, in the format of the name's extension. `options` are
  /// ffmpeg's.
  func noise(_ name: String, seconds: Double, rate: Int = 44100, _ options: [String] = []) async throws -> LocalPath {
    let source = "anoisesrc=duration=\(seconds):sample_rate=\(rate):seed=7:amplitude=0.3"
    try await ffmpeg(["-f", "lavfi", "-i", source, "-ac", "2"] + options + [path(name)])
    return LocalPath(path(name))
  }

  /// Makes a file from a part of another, in the format of the name's extension.
  /// `options` are ffmpeg's.
  func part(
    _ name: String, of whole: LocalPath, from start: Double, seconds: Double, _ options: [String] = []
  ) async throws -> LocalPath {
    try await ffmpeg(["-ss", "\(start)", "-t", "\(seconds)", "-i", whole.description] + options + [path(name)])
    return LocalPath(path(name))
  }

  /// Returns the samples that another player decodes from a file, as interleaved 16-bit numbers, including those that
  /// an encoder appended.
  func decoded(_ file: LocalPath) async throws -> [Int16] {
    let name = "\(file.description).decoded.wav"
    try await ffmpeg(["-i", file.description, "-c:a", "pcm_s16le", name])
    return try samples(of: LocalPath(name))
  }

  /// Writes any bytes.
  func file(_ name: String, _ bytes: [UInt8]) throws -> LocalPath {
    let file = try #require(fopen(path(name), "we"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    return LocalPath(path(name))
  }

  /// Writes the first part of another file.
  func head(of whole: LocalPath, part: Double, as name: String) throws -> LocalPath {
    let bytes = try bytes(of: whole)
    return try file(name, Array(bytes.prefix(Int(Double(bytes.count) * part))))
  }

  /// Pseudo-random bytes, the same each time.
  func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
  }

  func bytes(of path: LocalPath) throws -> [UInt8] {
    let file = try #require(fopen(path.description, "re"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
    return bytes
  }

  /// The samples of a WAV file, as interleaved 16-bit numbers.
  func samples(of path: LocalPath) throws -> [Int16] {
    try Self.samples(in: try bytes(of: path))
  }

  /// The samples in the bytes of a WAV file, as interleaved 16-bit numbers.
  static func samples(in bytes: [UInt8]) throws -> [Int16] {
    let mark = Array("data".utf8)
    let start = try #require(bytes.indices.dropLast(8).first { Array(bytes[$0..<$0 + 4]) == mark }) + 8
    return stride(from: start, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func ffmpeg(_ words: [String]) async throws {
    let status = await onThreadOfItsOwn {
      var arguments = (["ffmpeg", "-v", "error", "-nostdin", "-y"] + words).map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var pid = pid_t()
      guard posix_spawnp(&pid, "ffmpeg", nil, nil, &arguments, environ) == 0 else { return Int32(-1) }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      return status
    }
    try #require(status >= 0, "ffmpeg is needed for these tests: apt install ffmpeg")
    try #require(status == 0, "ffmpeg failed at \(words)")
  }
}

/// Runs blocking work on a thread of its own.
func onThreadOfItsOwn(_ body: @escaping @Sendable () -> Int32) async -> Int32 {
  final class Work: Sendable {
    let body: @Sendable () -> Int32
    let continuation: CheckedContinuation<Int32, Never>
    init(_ body: @escaping @Sendable () -> Int32, _ continuation: CheckedContinuation<Int32, Never>) {
      self.body = body
      self.continuation = continuation
    }
  }
  return await withCheckedContinuation { continuation in
    let work = Unmanaged.passRetained(Work(body, continuation))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        work.continuation.resume(returning: work.body())
        return nil
      }, work.toOpaque())
    if code == 0 { pthread_detach(thread) } else { continuation.resume(returning: -1) }
  }
}

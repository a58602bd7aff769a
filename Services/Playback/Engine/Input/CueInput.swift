import CMPV
import HTTP
import Messages
import Model
import Synchronization
import System

/// One loading of a cue into libmpv: opens the cue's file or stream when libmpv asks for it, and keeps the reason why
/// that failed.
final class CueInput: Sendable {
  let cue: Cue
  private let client: HTTPClient

  private struct State {
    /// The file that the room has opened; nil for a stream, and after it was given up.
    var file: CueFile?
    var input: (any AudioInput)?
    var failure: InputFailure?
    var isCancelled = false
  }
  private let state: Mutex<State>

  init(_ cue: Cue, client: HTTPClient) {
    var cue = cue
    state = Mutex(State(file: cue.file))
    cue.file = nil
    self.cue = cue
    self.client = client
  }

  /// The first failure; nil if there was none, or only that of a cancellation.
  var failure: InputFailure? { state.withLock { $0.failure } }

  /// Opens the cue and checks that it begins like audio. Blocks.
  func open() throws(InputFailure) -> any AudioInput {
    do throws(InputFailure) {
      let input = try connect()
      try check(input)
      return input
    } catch {
      throw recordFailure(error)
    }
  }

  /// Ends all reading, now and later. The file is closed once libmpv has closed it, too.
  func cancel() {
    let input = state.withLock { state in
      state.isCancelled = true
      return state.input
    }
    input?.cancel()
    close()
  }

  /// Releases the file or stream, which libmpv has closed or will not open: a disk with an open file cannot be
  /// removed.
  func close() {
    state.withLock {
      $0.file = nil
      $0.input = nil
    }
  }

  /// Stores a failure, unless it follows from a cancellation.
  @discardableResult func recordFailure(_ failure: InputFailure) -> InputFailure {
    state.withLock { state in
      if failure != .cancelled, !state.isCancelled, state.failure == nil { state.failure = failure }
    }
    return failure
  }

  private func connect() throws(InputFailure) -> any AudioInput {
    switch cue.locator {
    case .file(let path, _):
      let input = try FileInput(try file(path))
      try adopt(input)
      return input
    case .url(let url, let headers, _, _, let plugin):
      let input = HTTPInput(
        url, headers: headers, client: client, refusesPrivateAddresses: plugin?.isPublic ?? false)
      // Before it is open, so that a server which does not answer can be given up.
      try adopt(input)
      try input.open()
      return input
    }
  }

  private func file(_ path: LocalPath) throws(InputFailure) -> Descriptor {
    do throws(LunaraError) {
      guard let file = state.withLock({ $0.file }) else { return try FileInput.open(path) }
      return try file.get()
    } catch {
      throw .unusable(error)
    }
  }

  private func adopt(_ input: any AudioInput) throws(InputFailure) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.input = input }
      return state.isCancelled
    }
    if isCancelled { throw .cancelled }
  }

  private func check(_ input: any AudioInput) throws(InputFailure) {
    let start = try input.head(16)
    guard !start.isEmpty else { throw .unusable(CueFailure.notAudio(cue, "is empty")) }
    if AudioContainer(head: start) != nil { return }
    let head = try input.head(AudioContainer.headLength)
    guard AudioContainer(head: head) == nil else { return }
    throw .unusable(
      CueFailure.notAudio(
        cue, AudioContainer.isText(head) ? "begins like a text or a list of other files" : "begins like no audio file"))
  }
}

/// The cues that libmpv was told to load, by the numbers in their addresses: `lunara://NUMBER`, with the ending of the
/// file's name, which helps libavformat with files that begin with junk.
///
/// libmpv opens nothing but these addresses, so it reads only what the room gives it.
final class CueInputs: Sendable {
  static let scheme = "lunara"

  private let client = HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
  private let inputs = Mutex<[UInt64: CueInput]>([:])
  /// The number of inputs that are kept; libmpv has at most the open one and the prepared one.
  private static let limit: UInt64 = 16

  /// Adds a cue under a number greater than all before, and returns its address.
  func add(_ cue: Cue, _ number: UInt64) -> String {
    let input = CueInput(cue, client: client)
    inputs.withLock { inputs in
      inputs[number] = input
      inputs = inputs.filter { $0.key + Self.limit > number }
    }
    return "\(Self.scheme)://\(number)\(Self.ending(of: cue.locator))"
  }

  /// Returns the input of a number; nil if it is long gone.
  subscript(number: UInt64) -> CueInput? { inputs.withLock { $0[number] } }

  /// Returns the input with an address that `add` returned; nil if it is long gone.
  func input(at address: String) -> CueInput? {
    let digits = address.dropFirst(Self.scheme.utf8.count + 3).prefix { $0 != "." }
    return UInt64(digits).flatMap { self[$0] }
  }

  func cancelAll() {
    let all = inputs.withLock { Array($0.values) }
    for input in all { input.cancel() }
  }

  private static func ending(of locator: Library.Locator) -> String {
    let bytes =
      switch locator {
      case .file(let path, _): path.bytes
      case .url(let url, _, _, _, _): Array(url.utf8.prefix { $0 != UInt8(ascii: "?") })
      }
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.count - dot <= 6 else { return "" }
    let ending = String(decoding: bytes[dot...], as: UTF8.self)
    return ending.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? ending : ""
  }
}

/// libmpv's interface for streams of its user's own (stream_cb.h). It calls these functions on threads of its own.
extension CueInputs {
  /// Makes a player open the addresses of these inputs, which must outlive it. Returns an error code of libmpv.
  func register(in library: MPVLibrary, _ handle: OpaquePointer) -> Int32 {
    library.with { mpv in
      lunara_mpv_add_protocol(mpv, handle, Self.scheme, Unmanaged.passUnretained(self).toOpaque()) {
        context, address, info in
        guard let context, let address, let info else { return MPV_ERROR_LOADING_FAILED.rawValue }
        let inputs = Unmanaged<CueInputs>.fromOpaque(context).takeUnretainedValue()
        return inputs.open(String(cString: address), into: &info.pointee)
      }
    }
  }

  private func open(_ address: String, into info: inout mpv_stream_cb_info) -> Int32 {
    guard let input = input(at: address) else { return MPV_ERROR_LOADING_FAILED.rawValue }
    let bytes: any AudioInput
    do throws(InputFailure) { bytes = try input.open() } catch { return MPV_ERROR_LOADING_FAILED.rawValue }
    info.cookie = Unmanaged.passRetained(OpenInput(input, bytes)).toOpaque()
    info.read_fn = { OpenInput.at($0)?.read($1, $2) ?? -1 }
    if bytes.isSeekable { info.seek_fn = { OpenInput.at($0)?.seek(to: $1) ?? Int64(MPV_ERROR_GENERIC.rawValue) } }
    if bytes.size != nil { info.size_fn = { OpenInput.at($0)?.bytes.size ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue) } }
    info.cancel_fn = { OpenInput.at($0)?.bytes.cancel() }
    info.close_fn = { if let cookie = $0 { Unmanaged<OpenInput>.fromOpaque(cookie).release() } }
    return 0
  }
}

/// An input that libmpv has open.
private final class OpenInput: Sendable {
  let bytes: any AudioInput
  private let input: CueInput

  init(_ input: CueInput, _ bytes: any AudioInput) {
    self.input = input
    self.bytes = bytes
  }

  deinit { input.close() }

  static func at(_ cookie: UnsafeMutableRawPointer?) -> OpenInput? {
    cookie.map { Unmanaged<OpenInput>.fromOpaque($0).takeUnretainedValue() }
  }

  func read(_ buffer: UnsafeMutablePointer<CChar>?, _ count: UInt64) -> Int64 {
    do throws(InputFailure) {
      return Int64(try bytes.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(clamping: count))))
    } catch {
      input.recordFailure(error)
      return -1
    }
  }

  func seek(to offset: Int64) -> Int64 {
    do throws(InputFailure) {
      try bytes.seek(to: offset)
      return offset
    } catch {
      input.recordFailure(error)
      return Int64(MPV_ERROR_GENERIC.rawValue)
    }
  }
}

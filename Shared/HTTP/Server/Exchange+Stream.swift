import CMicroHTTPD
import Glibc
import Synchronization

extension Exchange {
  /// A body that libmicrohttpd fetches piece by piece; without a stream it is empty.
  func streamed(_ stream: AsyncStream<[UInt8]>?) -> OpaquePointer? {
    guard let body = fetched(UInt64.max, by: 8192, { self.fetch($1) }) else {
      if let stream { HTTPServerResponse(body: .stream(stream)).drop() }
      return nil
    }
    guard let stream else {
      finish()
      return body
    }
    state.withLock { state in
      state.work = Task {
        for await chunk in stream where await !offer(chunk) {
          // The next step in a cancelled task calls the producer's `onTermination`, even if others hold the stream.
          withUnsafeCurrentTask { $0?.cancel() }
        }
        finish()
      }
    }
    server.watch()
    return body
  }

  /// A body of pieces that another server sends. It breaks off where they fail or end before `length` bytes.
  func relayed(_ length: UInt64?, _ next: @escaping @Sendable () async throws -> [UInt8]?) -> OpaquePointer? {
    guard let body = fetched(length ?? UInt64.max, by: 8192, { self.fetch($1) }) else { return nil }
    state.withLock { state in
      state.buffer.isRelayed = true
      state.work = Task {
        var count: UInt64 = 0
        do {
          while let piece = try await next() {
            count += UInt64(piece.count)
            guard await offer(piece) else { return }
          }
        } catch {
          return breakOff()
        }
        if length.map({ count >= $0 }) ?? true { finish() } else { breakOff() }
      }
    }
    server.watch()
    return body
  }

  /// Gives libmicrohttpd the bytes in the buffer; suspends the connection where there are none.
  private func fetch(_ memory: UnsafeMutableRawBufferPointer) -> Int {
    let (count, waiter): (Int, CheckedContinuation<Bool, Never>?) = state.withLock { state in
      if state.buffer.isBroken { return (Int(lunara_http_end_with_error), nil) }
      let count = state.buffer.move(into: memory)
      guard count == 0 else {
        guard state.buffer.hasRoom else { return (count, nil) }
        defer { state.waiter = nil }
        return (count, state.waiter)
      }
      if !state.buffer.isFinished, suspend(&state) { return (0, nil) }
      let isWhole = state.buffer.isFinished || !state.buffer.isRelayed
      return (Int(isWhole && !state.buffer.isCut ? lunara_http_end_of_stream : lunara_http_end_with_error), nil)
    }
    waiter?.resume(returning: true)
    return count
  }

  /// Adds a chunk, and waits while the buffer is full. Returns false if nobody will fetch the chunk.
  private func offer(_ chunk: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        guard case .sending = state.phase, !state.buffer.isFinished, !state.buffer.isBroken else { return false }
        state.buffer.append(chunk)
        resume(&state)
        guard state.buffer.isFull else { return true }
        state.waiter = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  private func finish() {
    state.withLock { state in
      state.buffer.isFinished = true
      resume(&state)
    }
  }

  /// Ends a body that cannot be had whole: the client gets what is in the buffer, and then loses the connection.
  private func breakOff() {
    state.withLock { state in
      state.buffer.isFinished = true
      state.buffer.isCut = true
      resume(&state)
    }
  }

  /// Ends a stream whose client has gone: libmicrohttpd does not notice that while the connection is suspended.
  func dropIfHungUp() {
    state.withLock { state in
      guard case .sending = state.phase, state.isSuspended,
        lunara_http_is_hung_up(lunara_http_descriptor(connection)) != 0
      else { return }
      state.buffer.isBroken = true
      resume(&state)
    }
  }
}

extension HTTPServerResponse {
  /// Ends the stream of an answer that is not sent, so that its producer's `onTermination` is called.
  func drop() {
    guard case .stream(let stream) = body else { return }
    // The task is cancelled before its first step, which calls `onTermination` once; a task that is cancelled between
    // two steps would call it twice.
    Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in stream {}
    }
  }
}

/// The bytes of a streamed body that wait for their client.
struct SendBuffer {
  /// The number of bytes at which the producer has to wait.
  static let limit = 256 * 1024

  private var chunks: [[UInt8]] = []
  /// The number of bytes of the first chunk that have left.
  private var offset = 0
  /// The number of bytes that wait.
  private(set) var count = 0
  /// True if nothing will be added.
  var isFinished = false
  /// True if the client has gone.
  var isBroken = false
  /// True if another server sends the body, which has to break off where that ends early.
  var isRelayed = false
  /// True if the body ended early.
  var isCut = false

  /// True if the producer has to wait.
  var isFull: Bool { count >= Self.limit }
  /// True if a producer that waited can continue.
  var hasRoom: Bool { count <= Self.limit / 2 }

  mutating func append(_ chunk: [UInt8]) {
    guard !chunk.isEmpty else { return }
    chunks.append(chunk)
    count += chunk.count
  }

  /// Moves as many bytes as fit into a region of memory, and returns how many.
  mutating func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var moved = 0
    var done = 0
    while done < chunks.count, moved < buffer.count {
      let part = chunks[done][offset...].prefix(buffer.count - moved)
      UnsafeMutableRawBufferPointer(rebasing: buffer[moved...]).copyBytes(from: part)
      moved += part.count
      offset += part.count
      if offset == chunks[done].count {
        done += 1
        offset = 0
      }
    }
    chunks.removeFirst(done)
    count -= moved
    return moved
  }
}

import Glibc
import Synchronization

/// Counts what a reader received: each message once, in order, and its latency.
final class Tally: Sendable {
  private struct State {
    var last = 0
    var received = 0
    var disordered = 0
    var latencies: [Int64] = []
    var began: Int64 = 0
    var ended: Int64 = 0
    var isWarm = false
  }

  private let state = Mutex(State())
  private let count: Int

  /// Makes a tally of messages numbered from 1 to `count`.
  init(of count: Int) {
    self.count = count
    state.withLock { $0.latencies.reserveCapacity(count) }
  }

  /// Records a message.
  func add(_ track: Track) {
    let now = monotonicNanoseconds()
    let (isFirst, isLast) = state.withLock { state in
      guard track.number > 0 else {
        defer { state.isWarm = true }
        return (!state.isWarm, false)
      }
      if state.received == 0 { state.began = now }
      if track.number <= state.last { state.disordered += 1 }
      state.last = max(state.last, track.number)
      state.received += 1
      state.latencies.append(now - track.stamp)
      state.ended = now
      return (false, state.received == count)
    }
    if isFirst { say("READY") }
    if isLast { say("DONE") }
  }

  /// Writes the latencies as 64-bit integers to a file and the rest to standard output.
  func report(to path: String) {
    state.withLock { state in
      if let file = fopen(path, "wb") {
        fwrite(state.latencies, 8, state.latencies.count, file)
        fclose(file)
      }
      let seconds = Double(state.ended - state.began) / 1e9
      say(
        #"{"received":\#(state.received),"disordered":\#(state.disordered),"last":\#(state.last),"seconds":\#(seconds)}"#
      )
    }
  }
}

/// Prints a line at once, without buffering.
func say(_ line: String, on descriptor: Int32 = STDOUT_FILENO) {
  let bytes = Array("\(line)\n".utf8)
  // A failed write is ignored: where the driver has ended, standard input ends as well, which stops this process.
  _ = write(descriptor, bytes, bytes.count)
}

/// Waits for a line on standard input, at most for the given time. Returns false where none came, and true at the end
/// of input.
func isTold(within milliseconds: Int32) -> Bool {
  var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  guard poll(&input, 1, milliseconds) > 0 else { return false }
  _ = readLine()
  return true
}

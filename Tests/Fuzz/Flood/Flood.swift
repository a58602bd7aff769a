import Glibc
import Messages
import Model
import Storage

@testable import Bus

/// Sends almost valid frames to a real node, over ipc and over tcp, while well-behaved publishers, a reader and a
/// client go on working.
///
/// Frames over tcp are sealed by an admitted sender and then changed: all of them must be refused. Frames over ipc are
/// not sealed; a local process may send what it likes there, so they only must do no harm.
struct Flood {
  /// The number of frames that have to arrive.
  var frames: Int
  /// The limit of this process's memory growth in KiB; nil where other tests run in the same process.
  var growthLimit: Int?
  /// Called with the progress, once a second.
  var tell: (String) -> Void = { _ in }

  /// The result of a run.
  struct Outcome {
    var arrived = 0
    var seconds = 0.0
    /// Frames that could not be parsed, or held no envelope.
    var bad = 0
    /// Sealed frames that were refused.
    var refused = 0
    /// Facts of the well-behaved publishers that the reader applied.
    var facts = 0
    /// Requests of the well-behaved client that were answered.
    var answers = 0
    /// Growth of the resident memory from a tenth of the way to the end, in KiB.
    var growth = 0
    /// The faults that were found.
    var harm: [String] = []
  }

  func run() async throws -> Outcome {
    let scene = try await FloodScene()
    var outcome = Outcome()
    let before = await scene.counts()
    let start = ContinuousClock.now
    var mutator = Mutator(seed: 20_261_120)
    let sockets = try await scene.sockets()
    async let company: Void = scene.keepCompany()
    var (told, memory) = (start, 0)
    while outcome.arrived < frames {
      for socket in sockets { socket.send(200, &mutator) }
      let now = await scene.counts()
      outcome.arrived = now.total - before.total
      if memory == 0, outcome.arrived >= frames / 10 { memory = residentMemory() }
      if told + .seconds(1) < .now {
        told = .now
        let seconds = (told - start) / .seconds(1)
        tell(
          "\(Int(seconds)) s  \(outcome.arrived) frames, \(Int(Double(outcome.arrived) / seconds))/s, \(now.bad) bad, \(now.refused) refused, \(residentMemory() / 1024) MiB"
        )
      }
    }
    outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
    outcome.growth = residentMemory() - memory
    scene.stop()
    try await company
    let after = await scene.counts()
    (outcome.bad, outcome.refused) = (after.bad - before.bad, after.refused - before.refused)
    (outcome.facts, outcome.answers, outcome.harm) = try await scene.verdict()
    // Connections of strangers are read in small pieces, so most of the frames that arrive are those of local sockets.
    if outcome.refused < outcome.arrived / 50 { outcome.harm.append("only \(outcome.refused) frames were refused") }
    if outcome.bad < outcome.arrived / 10 { outcome.harm.append("only \(outcome.bad) frames were bad") }
    if let growthLimit, outcome.growth > growthLimit { outcome.harm.append("memory grew by \(outcome.growth) KiB") }
    await scene.close()
    return outcome
  }

  /// Resident memory in KiB.
  private func residentMemory() -> Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4 : 0
  }
}

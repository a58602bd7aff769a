import CVips
import Confinement
import Glibc
import Messages
import Model
import Synchronization
import System

/// Makes thumbnails until its socket, standard input, is closed. It is a process of its own because libvips keeps much
/// memory once it was used, and because some pictures are made to break the programs that read them.
@main struct Main {
  static func main() {
    let program = WorkerProgram("lunara-artwork", "makes thumbnails for lunara-library")
    ConfinementProfile.pictures.isolate()
    guard lunara_vips_start("lunara-artwork") == 0 else {
      program.fail("libvips cannot be used: \(Picture.complaint())")
    }
    do {
      try ConfinementProfile.pictures.refuseSystemCalls()
      let runner = JobRunner(MessageSocket(Descriptor(owning: STDIN_FILENO)))
      try runner.run(threads: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    } catch {
      program.fail("\(LunaraError(error))")
    }
    // Nothing is left to tidy, and libvips has threads of its own.
    _exit(0)
  }
}

/// Receives jobs, runs as many at once as there are threads, and sends the outcome of each.
final class JobRunner: Sendable {
  private let socket: MessageSocket
  private let isReceiving = Mutex(())

  init(_ socket: MessageSocket) { self.socket = socket }

  /// Runs all jobs; returns when no more come and all are done.
  func run(threads count: Int) throws(Errno) {
    var threads: [SystemThread] = []
    for _ in 0..<count { threads.append(try SystemThread.startJoinable("lunara-picture") { self.work() }) }
    for thread in threads { thread.join() }
  }

  private func work() {
    do {
      while let message = try isReceiving.withLock({ _ in try socket.receive() }) {
        try socket.send(try MessageCoding.encode(Self.outcome(of: message)))
      }
      // No jobs come after the last one is answered; a decoder that never ends must not keep the process alive.
      _exit(0)
    } catch {
      // Nobody needs the outcomes once the receiver is gone. If an outcome cannot be encoded, the library sees the
      // process end and tries this picture alone.
      _exit(1)
    }
  }

  private static func outcome(of message: MessageSocket.Message) throws -> Artwork.Outcome {
    let job = try MessageCoding.decode(Artwork.Job.self, from: message.bytes)
    do { return try Thumbnails.make(job, message.descriptors) } catch {
      return Artwork.Outcome(id: job.id, failure: LunaraError(error))
    }
  }
}

import CPlatform
import Confinement
import Glibc
import Messages
import Model
import System

/// The player's process: `lunara-playback --engine`, which a room starts with a socket as standard input. libmpv and
/// all decoders run here, so that a file which breaks them costs the room one track.
///
/// The process gets its files as open descriptors, and ends when the room closes the socket. It can start no programs,
/// and neither look into other processes nor signal them; where the kernel has Landlock, it opens no file of the person
/// and writes to sound devices only. Others may look into it, as the desktop does before it grants real-time priority
/// to libpipewire's threads; so it is given no key and no setting.
enum EngineChild {
  static let option = "--engine"

  /// The memory of its own that the process may have, in bytes: it is refused more, and then ends. It is more than
  /// `EngineProcess.residentLimit`, as it counts what is reserved and not used, such as the stacks of threads.
  static let memoryLimit: UInt64 = 1 << 30

  /// The beginning of the process: its socket, and the first message on it.
  struct Start: Sendable {
    var socket: MessageSocket
    var setup: Result<EngineSetup, any Error>
  }

  /// Waits for the room's first message and confines the process. Must be called on the only thread: Landlock confines
  /// the thread that asks for it, and those that this one starts.
  static func start(_ environment: Environment) -> Start {
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { _ = Glibc.signal(signal, SIG_IGN) }
    lunara_keep_heap_small()
    lunara_bound_decoder(memoryLimit)
    let socket = MessageSocket(Descriptor(owning: STDIN_FILENO))
    do {
      try RefusedSystemCalls.player.refuse()
      guard let first = try socket.receive() else { _exit(0) }
      let setup = try MessageCoding.decode(EngineSetup.self, from: first.bytes)
      _ = try setup.output.reachableFiles(environment).confine()
      return Start(socket: socket, setup: .success(setup))
    } catch {
      return Start(socket: socket, setup: .failure(error))
    }
  }

  /// Runs the process to its end.
  static func run(_ start: Start) async -> Never {
    let socket = start.socket
    do {
      let setup: EngineSetup
      do { setup = try start.setup.get() } catch {
        try await send(EngineReport(event: .outputFailed(LunaraError(error)), at: .now()), to: socket)
        throw error
      }
      // The room ends the process when it has been silent for a while.
      let engine = MPVEngine(
        output: setup.output, volume: setup.volume, isMuted: setup.isMuted, device: setup.device,
        linger: Milliseconds(Int64.max))
      try SystemThread.start("commands") {
        serve(socket, engine)
        Task { await engine.close() }
      }
      var heap = DecoderHeap()
      for await report in engine.reports {
        try await send(report, to: socket)
        // The next file has not been opened yet, and nothing waits.
        if case .began = report.event { heap.trimIfGrown() }
      }
      _exit(0)
    } catch {
      Descriptor.write(Array("lunara-playback: the player: \(LunaraError(error))\n".utf8), to: STDERR_FILENO)
      _exit(1)
    }
  }

  private static func send(_ report: EngineReport, to socket: MessageSocket) async throws {
    while true {
      do { return try socket.send(report) } catch Errno.wouldBlock { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  /// Passes the commands to the engine until the room closes its end.
  private static func serve(_ socket: MessageSocket, _ engine: MPVEngine) {
    do {
      while let message = try socket.receive() {
        let order = try MessageCoding.decode(EngineOrder.self, from: message.bytes)
        var command = order.command
        if var cue = command.cue, case .file = cue.locator {
          cue.file = CueFile(message.descriptors.first.map { .success($0) } ?? .failure(order.fileError ?? noFile))
          command.cue = cue
        }
        engine.send(command)
      }
    } catch {
      // The room sees the end of this process, and starts another one.
      Descriptor.write(Array("lunara-playback: the player: \(LunaraError(error))\n".utf8), to: STDERR_FILENO)
      _exit(1)
    }
  }

  private static let noFile = LunaraError(
    "playback.fileUnreadable", "The file of this track was not passed to the player. This is a fault; report it.")
}

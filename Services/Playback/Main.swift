import Bus
import Confinement
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import System

/// `lunara-playback`: plays in one room.
@main struct Main {
  @MainActor static func main() async {
    // PipeWire prints messages to standard error that libmpv reports as well. No other thread runs yet, so setting a
    // variable is safe.
    setenv("PIPEWIRE_DEBUG", "0", 0)
    let own = Environment.ofProcess()
    if CommandLine.arguments.dropFirst() == [EngineChild.option] { await EngineChild.run(EngineChild.start(own)) }
    await ServiceProcess.run(role: "playback", name: { $0.room.rawValue }, schema: .playback) { context in
      let settings = context.settings
      let output = try AudioOutput(audio: settings.audio) { settings[$0] }
      if !ReachableFiles.isPossible {
        context.log.warning(
          "This kernel has no Landlock, so a file that takes over the player could change files of this user.")
      }
      let engine = try EngineProcess(output: output, environment: own)
      let database = try context.database("playback-\(settings.room)", readers: 1)
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      if let handover = try await RoomHandover.received(by: node) {
        try await database.write { try handover.store(in: $0, of: settings.room) }
      }
      let cacheFolder = "\(settings.home)/playback-\(settings.room)-ahead"
      let limits = try Prefetcher.Limits(settings)
      if limits == nil { try CacheFolder.remove(cacheFolder) }
      let service = try await PlaybackService(
        room: settings.room, host: context.hostID, engine: engine, database: database,
        journal: journal, node: node, log: context.log,
        headphoneMonitor: output.usesSoundServer ? HeadphoneMonitor(player: { engine.processID }) : nil,
        cache: limits.map { (cacheFolder, $0) },
        offlineFolder: "\(settings.home)/playback-\(settings.room)-offline",
        testSound: TestSound(
          output: output, path: "\(settings.home)/playback-\(settings.room)-test.wav",
          engine: { try EngineProcess(output: output, volume: $0, linger: .zero, environment: own) }),
        title: settings.roomTitle)
      await service.start()
      await node.onHandOver { try await service.room.handOver() }
      await context.ready(node) { try await service.room.probe() }
      await context.stopRequested()
      await service.stop()
      await node.close()
      await database.close()
    }
  }
}

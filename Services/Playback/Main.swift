import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage

/// `lunara-playback`: plays in one room.
@main struct Main {
  static func main() async {
    // PipeWire prints to standard error what libmpv reports as well. Nothing else runs yet that could read variables.
    setenv("PIPEWIRE_DEBUG", "0", 0)
    await ServiceProcess.run(role: "playback", name: { $0.room.rawValue }) { context in
      let settings = context.settings
      let output = try AudioOutput(audio: settings.audio) { _ in settings["LUNARA_AUDIO_SPEED"] }
      let database = try context.database(
        "playback-\(settings.room)", migrations: Journal.migrations + QueueStore.migrations, readers: 1,
        saving: QueueStore.savedTables, finish: QueueStore.repairs)
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      if let inheritance = try await RoomHandover.of(node) {
        try await database.write { try inheritance.store(in: $0, of: settings.room) }
      }
      let engine = MPVEngine(output: output)
      let (ahead, limits) = ("\(settings.home)/playback-\(settings.room)-ahead", try Prefetcher.Limits(settings))
      if limits == nil { try CacheFolder.remove(ahead) }
      let service = try await PlaybackService(
        room: settings.room, host: context.hostID, engine: engine, database: database, journal: journal, node: node,
        log: context.log, headphones: output.isOfSoundServer ? HeadphoneMonitor() : nil,
        cache: limits.map { (ahead, $0) },
        testSound: TestSound(output: output, path: "\(settings.home)/playback-\(settings.room)-test.wav"))
      await service.start()
      await node.onHandOver { try await service.room.handOver() }
      await context.ready(node) { try await service.room.prove() }
      await context.stopRequested()
      await service.stop()
      await node.close()
      await database.close()
    }
  }
}

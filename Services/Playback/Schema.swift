import ServiceKit

extension ServiceSchema {
  /// The tables of a room's database.
  static let playback = ServiceSchema(QueueStore.migrations, saved: QueueStore.savedTables, repairs: QueueStore.repairs)
}

import ServiceKit

extension ServiceSchema {
  static let playback = ServiceSchema(QueueStore.migrations, saved: QueueStore.savedTables, repairs: QueueStore.repairs)
}

import ServiceKit

extension ServiceSchema {
  /// The tables of the scrobbler's database.
  static let scrobble = ServiceSchema(Schema.migrations, saved: Schema.saved)
}

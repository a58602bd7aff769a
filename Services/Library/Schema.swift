import ServiceKit

extension ServiceSchema {
  /// The tables of the library's database.
  static let library = ServiceSchema(Catalogue.migrations, saved: Catalogue.savedTables, repairs: Catalogue.repairs)
}

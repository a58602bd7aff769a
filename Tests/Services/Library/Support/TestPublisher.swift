import Bus

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

extension ChangePublisher {
  /// Returns a publisher with all followers, as the service has it.
  static func to(_ journal: Journal?) -> ChangePublisher {
    ChangePublisher(journal, followers: CatalogueFollowers.all)
  }
}

extension SourceKinds {
  /// The music folders alone.
  static let folders = SourceKinds([FilesSource.descriptor])
}

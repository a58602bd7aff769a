package import HTTP
import Messages
package import Records
package import ServiceKit

extension SourceKinds {
  package struct Environment: Sendable {
    var settings: Settings
    var credentials: CredentialStore
    var http: HTTPClient
    var log: Log

    package init(settings: Settings, credentials: CredentialStore, http: HTTPClient, log: Log) {
      self.settings = settings
      self.credentials = credentials
      self.http = http
      self.log = log
    }
  }

  /// Makes the list in which a new kind is registered.
  package init(in environment: Environment) {
    self.init([
      FilesSource.descriptor, PlexServer.descriptor(in: environment), SubsonicServer.descriptor(in: environment),
    ])
  }
}

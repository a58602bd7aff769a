package import Messages
package import Model

/// An account that people sign in to by a link, and whose servers become sources of one kind.
package protocol SourceAccount: Sendable {
  /// Adds servers as sources, and returns the names of all that are sources now.
  typealias Adoption = @Sendable ([AccountServer]) async throws -> [String]

  /// Begins a sign-in and returns the code to type and the link to open. Throws `library.signInUnavailable`,
  /// `settings.credentials…`.
  func begin(now: Timestamp) async throws -> Library.SignIn

  /// Returns the state of a sign-in; nil for one that this account did not begin.
  func state(of id: String) async -> Library.SignInState?

  /// Checks once, after a start, that the stored sign-in is still valid.
  func verify() async

  /// Forgets the tokens; the music stays listed. Throws `library.signedOut` where nobody is signed in,
  /// `settings.credentials…`.
  func signOut() async throws

  /// Cancels sign-ins that wait for a person.
  func stop() async
}

/// A server that an account may use.
package struct AccountServer: Hashable, Sendable {  // memberwise
  package var machine: String
  /// The address of its source, which names the machine and not a network address.
  package var address: String
}

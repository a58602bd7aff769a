public import Messages
public import Model

/// A kind of provider: how people link it, and how the library talks to it.
public protocol ProviderService: Sendable {
  var kind: Library.ProviderKind { get }

  /// Signs in. Throws `library.signedOut`, `library.providerAway`, `library.badProviderSetting`.
  func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn

  /// Removes the secrets of a provider. Throws the errors of `CredentialStore`.
  func forget(_ name: String) async throws

  /// Makes the connection for one run. Throws `library.signedOut` where there is no secret, and the errors of
  /// `CredentialStore`.
  func connect(_ link: Providers.Connect) async throws -> ProviderConnection
}

/// The result of signing in.
public enum ProviderSignIn: Sendable {
  /// The person opens this address, and gives the one at which that ends with a second request.
  case open(String)
  /// The person is signed in. `keep` stores the secrets under the name that the provider gets.
  case done(account: String?, keep: @Sendable (_ name: String) async throws -> Void)
}

/// The connection to a provider for one run.
public struct ProviderConnection: Sendable {  // memberwise
  /// The provider.
  public var provider: any ListProvider
  /// Returns what the provider's answers so far ask for.
  public var pacing: @Sendable () async -> ProviderPacing
}

/// The errors of calls to providers; the parameter is the provider's name on screen.
public enum ProviderError {
  /// The provider refuses the sign-in.
  public static func signedOut(_ title: String) -> LunaraError {
    LunaraError(
      "library.signedOut", "\(title) no longer accepts the sign-in. Link it again: `lunara providers link`.")
  }

  /// The provider cannot be asked now. `reason` is a sentence.
  public static func away(_ title: String, _ reason: String) -> LunaraError {
    LunaraError(
      "library.providerAway", "\(title) cannot be asked at the moment. \(reason) The library tries again later.")
  }

  /// The provider's answer is not understood.
  public static func unreadable(_ title: String) -> LunaraError {
    LunaraError(
      "library.providerAway",
      "\(title) answered something that is not understood, so nothing was compared. The library tries again later.")
  }

  /// It is not known if a change had an effect. `reason` is a sentence.
  public static func unclear(_ title: String, _ reason: String) -> LunaraError {
    LunaraError(
      "library.providerUnclear",
      "It is not known if \(title) made a change. \(reason) The next reading of it tells.")
  }

  /// A list no longer holds what was read.
  public static func changed(_ title: String) -> LunaraError {
    LunaraError(
      "library.providerChanged",
      "A list at \(title) changed while it was edited. The library reads it again before it changes anything.")
  }
}

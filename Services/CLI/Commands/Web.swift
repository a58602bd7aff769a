import Bus
import Client
import Glibc
import Model
import ServiceKit

extension Command {
  static let web = Command(
    name: "web", summary: "the page's password",
    commands: [
      Command(
        name: "password", summary: "set the password without which the page is not served beyond this machine",
        discussion: """
          Asks for it twice without showing it, or reads it from standard input. Only a hash is kept, by Argon2id, in the
          data folder and for this user alone. A new one signs everybody out; the service takes it at once.
          On this machine alone (LUNARA_WEB=127.0.0.1:…) nobody is asked for it.
          """,
        examples: ["lunara web password": "asks for it; a password manager's output can be piped in"],
        action: .asynchronous { context in
          let home = try context.settings().home
          let password = try await newPassword()
          _ = try HomeFolder(home)
          try PagePassword(hash: PasswordHash(of: password)).write(home: home)
          context.console.print(
            ["set": true],
            text: "The page's password is set. With LUNARA_WEB=0.0.0.0:8787 it is served beyond this machine.\n")
        })
    ])

  /// Returns a password that was typed twice, or read from standard input. Throws `cli.badPassword`.
  private static func newPassword() async throws -> String {
    guard let password = try await SecretPrompt.read("New password of the page: ", from: nil) else {
      throw LunaraError("cli.badPassword", "No password was given. Type it, or give it on standard input.")
    }
    guard password.count >= PagePassword.shortest, password.utf8.count <= PagePassword.longest else {
      throw LunaraError(
        "cli.badPassword",
        "The password needs at least \(PagePassword.shortest) characters, and at most \(PagePassword.longest) bytes.")
    }
    guard isatty(0) == 1 else { return password }
    guard try await SecretPrompt.read("The same again: ", from: nil) == password else {
      throw LunaraError("cli.badPassword", "The two passwords differ. Nothing was changed.")
    }
    return password
  }
}

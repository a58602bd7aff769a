import Model
import System

extension Option {
  /// Lets an export replace a file.
  static let force = Option("--force", help: "replace the file if it is there already")
}

/// The file to which a command exports.
enum ExportFile {
  /// Writes a text to a new file, or with `replaces` in place of an existing one.
  ///
  /// - Parameter code: the code of the error if the file cannot be written.
  /// - Throws: `cli.fileExists` for a file that is there.
  static func write(_ text: String, to path: String, replaces: Bool, code: String) throws {
    let options = Files.WriteOptions(mode: 0o644, isExclusive: !replaces)
    do throws(Errno) { try Files.replace(path, with: Array(text.utf8), options) } catch {
      throw error == .fileExists
        ? exists(path)
        : LunaraError(
          code, "\(path) cannot be written. Name a file in a folder of yours.", cause: error)
    }
  }

  static func exists(_ path: String) -> LunaraError {
    LunaraError("cli.fileExists", "\(path) is there already. Name another file, or replace it with --force.")
  }
}

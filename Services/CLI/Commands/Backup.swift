import ServiceKit
import Model
import Client
import System

extension Option {
  static let withSecrets = Option(
    "--with-secrets", help: "passwords, tokens and keys as well: keep the file as safe as them")
}

extension Command {
  static let backup = Command(
    name: "backup", summary: "write all data and settings of this machine into one file",
    discussion: """
      Services may run meanwhile: every database is taken as it is at one moment. The file is a tar archive with a
      manifest, readable by its owner only; it is complete, or it is not there. Left out are pictures and tracks that
      are fetched again by themselves, and whatever is secret unless --with-secrets is given.
      """,
    examples: [
      "lunara backup lunara.tar.zst": "a new file; one that is there is never overwritten",
      "lunara backup --with-secrets lunara.tar.zst": "all that another machine needs to go on",
    ],
    options: [.withSecrets],
    operand: .one("FILE", help: "a new file"),
    action: .asynchronous { context in
      let (settings, start) = (try context.settings(), MonotonicClock.milliseconds())
      let file = ProgramLocation.absolute(context.arguments.operands[0])
      let maker = BackupWriter(
        home: ProgramLocation.absolute(settings.home), settings: settings.file, keys: settings.keyFile,
        hasSecrets: context.arguments.has(.withSecrets), environment: context.environment,
        progress: { context.console.progress($0) })
      let made = try context.console.clearingProgress { try maker.make(file) }
      let (manifest, time) = (made.manifest, MonotonicClock.milliseconds() - start)
      if context.console.isJSON {
        return context.console.print(
          manifest.json.with("file", .string(file)).with("size", .count(made.size))
            .with("leftOut", .list(made.leftOut) { .string($0) }).with("seconds", .seconds(time)))
      }
      context.console.print(Table(manifest.files.map { [.strong($0.name), .number(BackupFiles.sizeText($0.size))] }))
      context.console.print("\(BackupFiles.sizeText(made.size)) in \(Printable.line(file)), after \(time.seconds) s.\n")
      if !made.leftOut.isEmpty {
        context.console.remark(
          "Left out, as they are not files of Lunara: \(made.leftOut.map(Printable.line).joined(separator: ", ")).")
      }
      if !manifest.hasSecrets {
        context.console.remark("Passwords, tokens and keys are not in it; --with-secrets takes them in.")
      }
    })

  static let restore = Command(
    name: "restore", summary: "put a backup in place, on this or on another machine",
    discussion: """
      The household has to be stopped. All of the file is looked through first; then the data that is there is moved
      into a folder of the home folder, not deleted, and what the backup has comes in its place. What was heard in
      other rooms since is fetched from them, and nothing is sent to a service a second time.
      Settings that open this machine to others or name folders, programs and servers, plugins, and further permissions
      of plugins are shown and asked for if this machine does not have them; without an answer they are left out.
      """,
    examples: [
      "lunara restore lunara.tar.zst": "says where the former data lies now",
      "lunara restore --yes lunara.tar.zst": "takes over all settings and plugins, without the question",
      "lunara restore --home /srv/lunara lunara.tar.zst": "into another home folder",
    ],
    options: [.yes],
    operand: .one("FILE", help: "what `lunara backup` wrote"),
    action: .asynchronous { context in
      let (settings, start) = (try context.settings(), MonotonicClock.milliseconds())
      let file = ProgramLocation.absolute(context.arguments.operands[0])
      let home = ProgramLocation.absolute(settings.home)
      let places = try settingsPlaces(for: home, context, settings)
      let restoration = BackupRestore(
        home: home, settings: places.settings, keys: places.keys,
        environment: context.environment, progress: { context.console.progress($0) },
        agrees: { try await agree(to: $0, context) })
      defer { context.console.progress(nil) }
      let done = try await restoration.restore(file)
      context.console.progress(nil)
      let (manifest, time) = (done.manifest, MonotonicClock.milliseconds() - start)
      if context.console.isJSON {
        return context.console.print(
          manifest.json.with("setAside", .text(done.aside)).with("missing", .list(done.missing) { .string($0) })
            .with("declined", .list(done.declined.names) { .string($0) }).with("seconds", .seconds(time)))
      }
      context.console.print(
        "\(Printable.count(manifest.files.count, "file")) \(manifest.files.count == 1 ? "is" : "are") back as they were on \(Printable.line(manifest.host)) at \(manifest.madeAt.local), after \(time.seconds) s.\n"
      )
      if let aside = done.aside { context.console.print("What was there before lies in \(Printable.line(aside)).\n") }
      if !done.missing.isEmpty {
        context.console.remark(
          "Not in the backup: \(done.missing.joined(separator: ", ")). Set them in \(places.settings).")
      }
      if !done.declined.isEmpty {
        context.console.remark(
          "Left out, as nobody agreed: \(done.declined.names.joined(separator: ", ")). Set what you want in \(places.settings), add plugins with `lunara plugins add`, or restore again with --yes."
        )
      }
      if places.settings != settings.file {
        context.console.remark(
          "The settings in \(settings.file) stay as they are. Those of the backup are for the other home folder alone: use them with LUNARA_CONFIG=\(places.settings)."
        )
      }
      // The key of addresses for other machines is no sign-in.
      let signIns = BackupFiles.names(in: "\(restoration.home)/credentials").filter { $0 != "media.json" }
      if !manifest.hasSecrets, signIns.isEmpty {
        context.console.remark(
          "Sign in again where accounts need it (`lunara login …`), and set the page's password (`lunara web password`)."
        )
      }
    })

  /// Shows the parts of a backup that would open this machine, and asks for consent. Does not ask if the output is
  /// JSON.
  private static func agree(to openings: BackupOpenings, _ context: Context) async throws -> Bool {
    if context.arguments.has(.yes) { return true }
    guard !context.console.isJSON else { return false }
    context.console.progress(nil)
    let lines = ["The backup has settings, plugins or permissions that this machine does not have:"] + openings.lines
    context.console.remark(lines.joined(separator: "\n"))
    return try await SecretPrompt.confirm("Take them over? [y/N] ")
  }

  /// Returns the paths to which a restore writes settings and keys. Into a home folder that is not the one of the
  /// settings in use, which `--home` names, nothing of another household may overwrite those settings and keys: the
  /// backup's then come into that folder.
  private static func settingsPlaces(
    for home: String, _ context: Context, _ settings: Settings
  ) throws -> (settings: String, keys: String) {
    let usual = try Settings(environment: context.environment.variables).home
    guard context.arguments.has(.home), ProgramLocation.absolute(usual) != home,
      Files.exists(settings.file) || Files.exists(settings.keyFile)
    else { return (settings.file, settings.keyFile) }
    return ("\(home)/lunara.env", "\(home)/household.key")
  }
}

extension BackupManifest {
  fileprivate var json: JSON {
    .object([
      "version": .string(version), "madeAt": .text(madeAt), "host": .string(host), "secrets": .bool(hasSecrets),
      "withheld": .list(withheld) { .string($0) },
      "files": .list(files) {
        ["name": $0.name, "size": $0.size, "sha256": $0.sha256]
      },
    ])
  }
}

extension Console {
  fileprivate func clearingProgress<Result>(after body: () throws -> Result) rethrows -> Result {
    defer { progress(nil) }
    return try body()
  }
}

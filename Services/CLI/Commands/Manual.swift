extension Command {
  /// Prints completions.
  static let completions: Command = Command(
    name: "completions", summary: "what a shell needs to complete commands and options",
    discussion: "An installation has put it where the shells look already.",
    examples: [
      .init("lunara completions bash", "to be sourced by bash; zsh and fish alike")
    ],
    operand: .one("SHELL", help: "bash, zsh or fish"),
    action: .held { context in
      let scripts = [
        "bash": { BashCompletion(root: .lunara).script }, "zsh": { ZshCompletion(root: .lunara).script },
        "fish": { FishCompletion(root: .lunara).script },
      ]
      context.console.print(try context.arguments.word(0, "SHELL", scripts)())
      return .done
    })

  /// Prints pages of the manual.
  static let manual: Command = Command(
    name: "manual", summary: "a page of the manual, as `man` reads it",
    discussion:
      "An installation has put them where `man` looks already. Pages: \(ManualPage.names.joined(separator: ", ")).",
    examples: [
      .init("lunara manual lunara.1", "this program; | man -l - shows it"),
      .init("lunara manual lunara.env", "a file of settings to begin with"),
    ],
    operand: .one("PAGE", help: "its name"),
    action: .held { context in
      let name = context.arguments.operands[0]
      guard let text = ManualPage.text(name, root: .lunara) else {
        throw UsageError("There is no page “\(name)”. There are \(ManualPage.names.joined(separator: ", ")).")
      }
      context.console.print(text)
      return .done
    })
}

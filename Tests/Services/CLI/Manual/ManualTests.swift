import Testing

@testable import lunara

/// Manual pages and completions come from the commands themselves.
struct ManualTests {
  @Test func everyPageThatIsListedIsThere() {
    for name in ManualPage.names { #expect(ManualPage.text(name, root: .lunara)?.isEmpty == false, "\(name)") }
    #expect(ManualPage.text("lunara.7", root: .lunara) == nil)
  }

  @Test func everyCommandIsInTheManualAndInEachShell() {
    let manual = (ManualPage.text("lunara.1", root: .lunara) ?? "").replacing("\\-", with: "-")
    let scripts = [
      BashCompletion(root: .lunara).script, ZshCompletion(root: .lunara).script, FishCompletion(root: .lunara).script,
    ]
    for path in CommandPath.all(below: .lunara) where !path.words.isEmpty {
      if path.command.action != nil { #expect(manual.contains(".SS \"lunara\(path.key)"), "\(path.key)") }
      for script in scripts {
        #expect(script.contains("\(path.key)\"") || script.contains("\(path.key)'"), "\(path.key)")
        for option in path.command.options { #expect(script.contains(option.name.dropFirst(2)), "\(option.name)") }
      }
    }
  }

  @Test func valuesOfOptionsAndOperandsAreCompletedInEachShell() {
    let bash = BashCompletion(root: .lunara).script
    #expect(bash.contains(#"" play --room" |"#) && bash.contains(") _lunara_values rooms \"\"; return ;;"))
    let words = #" mapfile -t COMPREPLY < <(compgen -W "name title added year played rating plays random""#
    #expect(bash.contains(#"" albums --sort" | " tracks --sort")"# + words))
    #expect(bash.contains(#"" tags --sort") mapfile -t COMPREPLY < <(compgen -W "name albums""#))
    #expect(bash.contains(#"--home --run" operand=albums ;;"#))
    // A room that is made by the command has a new name.
    #expect(bash.contains(#"" enable --room" | " join --room" | "#) && bash.contains(#" | " up --room" | "#))
    let zsh = ZshCompletion(root: .lunara).script
    #expect(zsh.contains(":NAME:_lunara_values rooms'") && zsh.contains("'*:value:_lunara_values albums'"))
    #expect(zsh.contains("'*:value:(off one all)'"))
    let fish = FishCompletion(root: .lunara).script
    #expect(fish.contains("-l room -x -a '(lunara completions values rooms 2> /dev/null)'"))
    #expect(fish.contains("-a 'off one all'"))
  }

  @Test func markupCharactersOfThePageAreEscaped() {
    var page = Roff("a", section: 1, version: "1", manual: "A \"b\"")
    page.paragraph(".SH not\n'so\\fB")
    #expect(page.text.hasSuffix(".PP\n\\&.SH not\n\\&'so\\efB\n"))
    #expect(page.text.hasPrefix(".TH \"A\" 1 \"\" \"Lunara 1\" \"A \\(dqb\\(dq\"\n"))
  }
}

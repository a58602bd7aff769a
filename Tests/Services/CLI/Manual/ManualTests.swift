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

  @Test func markupCharactersOfThePageAreEscaped() {
    var page = Roff("a", section: 1, version: "1", manual: "A \"b\"")
    page.paragraph(".SH not\n'so\\fB")
    #expect(page.text.hasSuffix(".PP\n\\&.SH not\n\\&'so\\efB\n"))
    #expect(page.text.hasPrefix(".TH \"A\" 1 \"\" \"Lunara 1\" \"A \\(dqb\\(dq\"\n"))
  }
}

import Testing

@testable import lunara

/// Secrets are left out of the settings in a backup, and put back from the settings that are there.
struct SettingsTextTests {
  @Test func anIndentedCommentIsNotTheSecretThatWasWithheld() {
    var text = SettingsText("LUNARA_PLEX_TOKEN=backed-up\n")
    let withheld = text.withholdSecrets()
    #expect(withheld == ["LUNARA_PLEX_TOKEN"] && !text.text.contains("backed-up"))
    var other = text
    let missing = other.restoreSecrets(withheld, from: SettingsText("  # LUNARA_PLEX_TOKEN=an-example\n"))
    #expect(missing == withheld && !other.text.contains("an-example"))
    let there = SettingsText("LUNARA_PLEX_TOKEN=real\n\t# LUNARA_PLEX_TOKEN=an-example\n")
    let restored = text.restoreSecrets(withheld, from: there)
    #expect(restored.isEmpty && text.text == "LUNARA_PLEX_TOKEN=real\n")
  }

  @Test(arguments: [
    ("8787", true), ("127.0.0.1:8787", true), ("localhost:8787", true), ("[::1]:8787", true),
    ("127.evil.example:8787", false), ("0.0.0.0:8787", false), ("192.168.1.2:8787", false),
  ]) func onlyAnAddressOfThisMachineOpensNothing(address: String, isHarmless: Bool) {
    let text = SettingsText("LUNARA_WEB=\(address)\n")
    #expect(text.openings(besides: SettingsText("")).isEmpty == isHarmless)
  }
}

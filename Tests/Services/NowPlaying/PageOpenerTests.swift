import System
import TestSupport
import Testing

@testable import lunara_nowplaying

struct PageOpenerTests {
  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1:8787/"), ("*", "http://127.0.0.1:8787/"), ("0.0.0.0", "http://127.0.0.1:8787/"),
    ("::1", "http://[::1]:8787/"), ("music.lan", "http://music.lan:8787/"),
  ])
  func thePagesAddressIsOneOfThisMachine(host: String, address: String) {
    #expect(PageOpener.address(host: host, port: 8787) == address)
    let encrypted = PageOpener.address(host: host, port: 8787, isEncrypted: true)
    #expect(encrypted == address.replacing("http:", with: "https:"))
  }

  @Test func withoutAProgramThatOpensAddressesThereIsNone() {
    let folder = TemporaryDirectory()
    #expect(PageOpener(address: "http://127.0.0.1:1/", environment: Environment(["PATH": folder.path])) == nil)
  }

  @Test func theProgramIsGivenTheAddressAndNobodyWaitsForIt() async throws {
    let folder = TemporaryDirectory()
    let opener = try openerThatWrites(to: "\(folder.path)/seen", in: folder, address: "http://127.0.0.1:1/?a=$(id)&b")
    #expect(opener.open())
    let seen = await eventually(equals: "http://127.0.0.1:1/?a=$(id)&b den\n") { text(of: "\(folder.path)/seen") }
    #expect(seen, "\(text(of: "\(folder.path)/seen"))")
  }
}

/// Makes an opener whose program, made by the test, writes its arguments to a file.
func openerThatWrites(to file: String, in folder: TemporaryDirectory, address: String) throws -> PageOpener {
  try TestProgram.install("#!/bin/sh\necho \"$1 $PLACE\" >>'\(file)'", at: "\(folder.path)/xdg-open")
  return try #require(
    PageOpener(
      address: address, environment: Environment(["PATH": "/nowhere:\(folder.path):/usr/bin:/bin", "PLACE": "den"])))
}

/// Returns the text of a small file; empty where it cannot be read.
func text(of file: String) -> String { Files.text(of: file) ?? "" }

import Glibc
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
    #expect(PageOpener(address: "http://127.0.0.1:1/", path: folder.path, environment: []) == nil)
  }

  @Test func theProgramIsGivenTheAddressAndNobodyWaitsForIt() async throws {
    let folder = TemporaryDirectory()
    let opener = try openerThatWrites(to: "\(folder.path)/seen", in: folder, address: "http://127.0.0.1:1/?a=$(id)&b")
    #expect(opener.open())
    let seen = await eventually(within: .seconds(30)) {
      text(of: "\(folder.path)/seen") == "http://127.0.0.1:1/?a=$(id)&b den\n"
    }
    #expect(seen, "\(text(of: "\(folder.path)/seen"))")
  }
}

/// A program of a test's own that writes down what it is given.
func openerThatWrites(to file: String, in folder: TemporaryDirectory, address: String) throws -> PageOpener {
  let script = "#!/bin/sh\necho \"$1 $PLACE\" >>'\(file)'\n"
  let descriptor = open("\(folder.path)/xdg-open", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o700)
  #expect(write(descriptor, script, script.utf8.count) == script.utf8.count)
  close(descriptor)
  return try #require(
    PageOpener(address: address, path: "/nowhere:\(folder.path)", environment: ["PATH=/usr/bin:/bin", "PLACE=den"]))
}

/// What a small file holds; empty where it is not there.
func text(of file: String) -> String {
  guard let stream = fopen(file, "re") else { return "" }
  defer { fclose(stream) }
  var buffer = [UInt8](repeating: 0, count: 4096)
  return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, stream)], as: UTF8.self)
}

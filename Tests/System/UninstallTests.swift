import Glibc
import System
import TestSupport
import Testing

/// Installing and uninstalling, in a folder of the test.
@Suite(.timeLimit(.minutes(5)))
struct UninstallTests {
  @Test func nothingIsLeftOfAnInstallationButDataAndSettings() async throws {
    let folder = TemporaryDirectory()
    let root = folder.path
    func run(_ words: String...) async throws -> (output: String, status: Int32) {
      try await TestProgram.run(words, environment: ["DESTDIR": root])
    }
    let installed = try await run("deploy/install", ".build/debug", "/usr/local", "lunara", "lunara-web")
    try #require(installed.status == 0, "\(installed.output)")
    try Files.makeFolder("\(root)/var/lib/lunara")
    try Files.replace("\(root)/usr/local/bin/other", with: "")
    #expect(files(below: root).count > 50)
    let removed = try await run("deploy/uninstall", "/usr/local")
    #expect(removed.status == 0 && removed.output.contains("rm -r \(root)/var/lib/lunara \(root)/etc/lunara"))
    #expect(files(below: root) == ["etc/lunara/lunara.env", "usr/local/bin/other"], "\(removed.output)")
    // A second time there is nothing to remove.
    let again = try await run("deploy/uninstall", "/usr/local")
    #expect(again.status == 1 && again.output.contains("There is no Lunara in"))
  }

  /// Returns the paths of the files below a folder, sorted.
  private func files(below root: String) -> [String] {
    func all(_ path: String) -> [String] {
      do throws(Errno) {
        return try Files.names(in: "\(root)/\(path)").flatMap { name -> [String] in
          let inner = path.isEmpty ? name : "\(path)/\(name)"
          var status = stat()
          guard lstat("\(root)/\(inner)", &status) == 0 else { return [] }
          return status.st_mode & S_IFMT == S_IFDIR ? all(inner) : [inner]
        }
      } catch {
        return []
      }
    }
    return all("").sorted()
  }
}

import Glibc
import System
import TestSupport
import Testing

@testable import lunara

/// Households of other users of this machine.
struct OtherHouseholdsTests {
  @Test func aHouseholdOfAnotherUserIsNamed() throws {
    let folder = TemporaryDirectory()
    let directory = "\(folder.path)/1234/lunara"
    try Files.makeFolder(directory)
    var households = OtherHouseholds(system: "\(folder.path)/none", users: folder.path, user: getuid() + 1)
    #expect(households.remark(besides: "/r") == nil)
    try Files.replace("\(directory)/library@main.lock", with: "")
    let remark = try #require(households.remark(besides: "/r"))
    #expect(remark.contains("of the user \(UserNames.own) is in \(directory)") && remark.contains("sudo -u"))
    #expect(households.remark(besides: directory) == nil)
    households.user = getuid()
    #expect(households.remark(besides: "/r") == nil)
  }
}

import Glibc
import Model
import System
import Testing

@Suite struct ErrnoTests {
  @Test func aConstantStandsInACatchOfAnyError() {
    func thrower() throws { throw Errno(ENOENT) }
    var caught = ""
    do { try thrower() } catch Errno.fileExists { caught = "exists" } catch Errno.noSuchFileOrDirectory {
      caught = "missing"
    } catch { caught = "other" }
    #expect(caught == "missing")
  }

  @Test func aLunaraErrorCarriesTheTextOfTheNumber() {
    let error = LunaraError("test.code", "It failed.", cause: Errno.noSpace)
    #expect(error.cause == "No space left on device")
  }

  @Test func fullDisksAndMissingFilesAreTold() {
    #expect(Errno(EDQUOT).isDiskFull && Errno.noSpace.isDiskFull && !Errno.ioError.isDiskFull)
    #expect(Errno(ENOTDIR).isMissingFile && Errno(ENOENT).isMissingFile && !Errno.permissionDenied.isMissingFile)
  }
}

import Glibc
import Model
import System
import Testing

@Suite struct ProcessTests {
  private let environment = Environment(["PATH": "/usr/bin:/bin"])

  @Test func aPipeGivesWhatWasWrittenAndThenItsEnd() throws {
    let (read, write) = try Descriptor.pipe()
    #expect(read.number >= 10 && write.number >= 10)
    read.setNonBlocking()
    #expect(read.read() == .nothingYet)
    try write.write("hello")
    #expect(read.read() == .bytes(Array("hello".utf8)))
    write.close()
    write.close()
    #expect(read.read() == .end)
  }

  @Test func aProgramReturnsItsStatusAndBothItsOutputs() throws {
    let shell = try #require(SystemProgram("sh", environment: environment))
    let ending = try shell.run(["-c", "echo out; echo err >&2; exit 3"], environment: environment)
    #expect(ending.status == 3)
    #expect(ending.output == "out\nerr")
    #expect(try shell.run(["-c", "echo quiet; exit 0"]) == nil)
    #expect(try shell.run(["-c", "echo complaint >&2; exit 1"]) == "complaint")
  }

  @Test func aProgramThatTakesTooLongIsKilled() throws {
    let sleep = try #require(SystemProgram("sleep", environment: environment))
    #expect(try sleep.run(["60"], environment: environment, within: .milliseconds(50)).status == -SIGKILL)
  }

  @Test func aMissingProgramIsNil() {
    #expect(SystemProgram("no-such-program", environment: environment) == nil)
    #expect(SystemProgram(file: "/no/such/program") == nil)
  }

  @Test func aChildGetsItsDescriptorsAndEnvironmentAndIsReapedOnce() throws {
    let (read, write) = try Descriptor.pipe()
    let null = try Descriptor.null()
    let child = try ChildProcess(
      "/bin/sh", ["sh", "-c", "echo $GREETING"], environment: Environment(["GREETING": "hello"]),
      descriptors: [null, write, null])
    let end = try child.endDescriptor()
    var polled = pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 10_000) == 1)
    #expect(child.reap() == 0)
    write.close()
    #expect(try read.readToEnd(limit: 100) == Array("hello\n".utf8))
  }

  @Test func aProgramThatCannotBeStartedIsAnError() throws {
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try ChildProcess("/no/such/program", ["it"], environment: environment, descriptors: [])
    }
  }

  @Test func theEnvironmentIsThatOfTheProcess() {
    #expect(Environment.ofProcess()["PATH"] == getenv("PATH").map { String(cString: $0) })
    #expect(Environment(["B": "2", "A": "1"]).lines == ["A=1", "B=2"])
  }
}

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

import System
import Glibc
import Model
import TestSupport
import Testing

@testable import lunara

/// `lunara up` as a real process that starts real processes.
@Suite(.timeLimit(.minutes(1)))
struct UpProcessTests {
  @Test func allServicesRunAndReadinessIsTold() async throws {
    let household = try FakeHousehold(["library", "router"])
    let up = try household.lunara("up", "--services", "library,router")
    #expect(await up.hasPrinted("READY in "))
    #expect(await up.hasPrinted("router    | here is router"))
    #expect(Set(household.pids.keys) == ["library", "router"])
    // Each service has its own process group, so that Ctrl-C in a terminal reaches only the supervisor.
    for pid in household.pids.values.flatMap({ $0 }) { #expect(getpgid(pid) == pid) }
  }

  @Test func aKilledServiceIsBackAtOnce() async throws {
    let household = try FakeHousehold(["library", "router"])
    let up = try household.lunara("up", "--services", "library,router")
    #expect(await up.hasPrinted("READY"))
    let first = try #require(household.pids["library"]?.last)
    let router = household.pids["router"]
    kill(first, SIGKILL)
    #expect(await up.hasPrinted("library was ended by SIGKILL; starting it again"))
    #expect(await up.hasPrinted("library is back after"))
    #expect(household.pids["library"]?.count == 2 && household.pids["router"] == router)
  }

  @Test func killingTheSupervisorLeavesNoOrphan() async throws {
    let household = try FakeHousehold(["library", "router", "web"])
    let up = try household.lunara("up", "--services", "library,router,web", "--web", "0")
    #expect(await up.hasPrinted("READY"))
    let children = household.pids.values.flatMap { $0 }
    #expect(children.count == 3 && children.allSatisfy(isAlive))
    kill(up.pid, SIGKILL)
    #expect(await up.ended() == .killed(SIGKILL))
    #expect(await eventually { !children.contains(where: isAlive) })
  }

  @Test func aSecondOneIsRefusedWithThePidOfTheFirst() async throws {
    let household = try FakeHousehold(["library"])
    let up = try household.lunara("up", "--services", "library")
    #expect(await up.hasPrinted("READY"))
    let second = try household.lunara("up", "--services", "library")
    #expect(await second.ended() == .exited(1))
    #expect(second.printed.contains("pid \(up.pid)") && second.printed.contains("cli.alreadyUp"))
    #expect(household.pids["library"]?.count == 1)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalStopsAllInOrder(signal: Int32) async throws {
    let household = try FakeHousehold(["library", "router"])
    let up = try household.lunara("up", "--services", "library,router")
    #expect(await up.hasPrinted("READY"))
    kill(up.pid, signal)
    #expect(await up.ended() == .exited(0))
    #expect(!household.pids.values.flatMap { $0 }.contains(where: isAlive))
  }

  @Test func aServiceThatDoesNotStopIsKilled() async throws {
    let household = try FakeHousehold(["library"], stubborn: true)
    let up = try household.lunara("up", "--services", "library")
    #expect(await up.hasPrinted("READY"))
    kill(up.pid, SIGINT)
    // `SupervisionTests` checks the moment of the kill.
    #expect(await up.ended() == .exited(0))
    #expect(up.printed.contains("library did not stop in time"))
    #expect(!household.pids.values.flatMap { $0 }.contains(where: isAlive))
  }

  @Test func afterAnOrderlyStopTheHomeIsFree() async throws {
    let household = try FakeHousehold(["library"])
    for _ in 0..<2 {
      let up = try household.lunara("up", "--services", "library")
      #expect(await up.hasPrinted("READY"))
      kill(up.pid, SIGTERM)
      #expect(await up.ended() == .exited(0))
    }
  }

  @Test func aMissingProgramIsNamedBeforeAnythingStarts() async throws {
    let household = try FakeHousehold(["library"])
    let up = try household.lunara("up", "--services", "library,router")
    #expect(await up.ended() == .exited(1))
    #expect(up.printed.contains("lunara-router is missing") && household.pids.isEmpty)
  }

  @Test func theDoctorNamesAServiceThatEndsAgainAndAgain() async throws {
    let household = try FakeHousehold(["library", "playback"])
    try TestProgram.install(
      "#!/bin/sh\necho 'LUNARA_CACHE is many.' >&2\nexit 1", at: "\(household.folder.path)/lunara-playback")
    let up = try household.lunara("up", "--services", "library,playback")
    #expect(await up.hasPrinted("playback ended with status 1; starting it again in 1 s"))
    let doctor = try household.lunara("doctor")
    #expect(await doctor.ended() == .exited(1))
    #expect(doctor.printed.contains("playback ended with status 1, again and again: LUNARA_CACHE is many."))
    kill(up.pid, SIGTERM)
    #expect(await up.ended() == .exited(0))
    #expect(FailingServices(run: "\(household.folder.path)/run").read().isEmpty)
  }

  @Test func eachRoomOfAMachineIsAPlayerOfItsOwn() async throws {
    let household = try FakeHousehold(["playback"])
    let up = try household.lunara(
      "up", "--services", "playback", "--room", "kitchen", "--room", "bath=null", "--room", "hall")
    #expect(await up.hasPrinted("READY in "))
    #expect(household.pids["playback"]?.count == 3)
    let commands = (household.pids["playback"] ?? []).map { pid in
      (Files.text(of: "/proc/\(pid)/cmdline") ?? "").split(separator: "\0").suffix(2).joined(separator: " ")
    }
    #expect(commands.filter { $0.hasPrefix("--room ") }.sorted() == ["--room bath", "--room hall"])
  }

  @Test func aBusyPortIsNamedBeforeAnythingStarts() async throws {
    let household = try FakeHousehold(["web"])
    let listener = try Listener()
    let up = try household.lunara("up", "--services", "web", "--web", "\(listener.port)")
    #expect(await up.ended() == .exited(1))
    #expect(up.printed.contains("127.0.0.1:\(listener.port) is used by another program"))
    #expect(up.printed.contains("cli.portBusy") && household.pids.isEmpty)
  }

  @Test func withoutAHouseholdACommandSaysHowToStartOne() async throws {
    let household = try FakeHousehold([])
    let status = try household.lunara("status", "--json")
    #expect(await status.ended() == .exited(3))
    #expect(status.printed.hasPrefix(#"{"error":{"code":"cli.noHousehold","#) && status.printed.contains("lunara up"))
  }
}

/// A socket that occupies a port.
private final class Listener {
  let port: UInt16
  private let socket: Descriptor

  init() throws {
    socket = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = socket.number
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(number, address, length) == 0 && listen(number, 1) == 0 && getsockname(number, address, &length) == 0
      }
    }
    guard isListening else { throw LunaraError("test.noPort", "no port") }
    port = UInt16(bigEndian: address.sin_port)
  }
}

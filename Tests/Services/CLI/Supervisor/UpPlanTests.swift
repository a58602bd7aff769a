import Model
import ServiceKit
import System
import Testing

@testable import lunara

/// Options, environment and defaults become a plan.
struct UpPlanTests {
  @Test func optionsComeBeforeTheEnvironment() throws {
    let plan = try plan(
      "up --home h --run /r --music m --music /n --web 9000 --room Attic",
      ["LUNARA_HOME": "/x", "LUNARA_MUSIC": "/y", "LUNARA_WEB": "0.0.0.0:1", "LUNARA_ROOM": "den", "PATH": "/bin"])
    #expect(plan.home == "/home/anna/h" && plan.run == "/r" && plan.web == "127.0.0.1:9000")
    let environment = plan.environment
    #expect(environment["LUNARA_HOME"] == "/home/anna/h" && environment["LUNARA_RUN"] == "/r")
    #expect(environment["LUNARA_MUSIC"] == "/home/anna/m:/n" && environment["LUNARA_ROOM"] == "Attic")
    #expect(environment["LUNARA_WEB"] == "127.0.0.1:9000" && environment["PATH"] == "/bin")
    #expect(plan.services == ServiceProgram.everywhere && plan.hasPage && plan.hasMusic && plan.needsRunHint)
  }

  @Test func theEnvironmentComesBeforeTheDefaults() throws {
    let plan = try plan("up", ["LUNARA_HOME": "/x", "LUNARA_RUN": "/r", "LUNARA_WEB": "0.0.0.0:1"])
    #expect(plan.home == "/x" && plan.run == "/r" && plan.web == "0.0.0.0:1")
    #expect(!plan.hasMusic && !plan.needsRunHint && plan.environment["LUNARA_MUSIC"] == nil)
  }

  @Test func roomsKeepTheLettersOfTheirNames() throws {
    let environment = try plan("up --room Küche --room 台所=alsa/hdmi --room hall", [:]).environment
    #expect(environment["LUNARA_ROOM"] == "Küche" && environment["LUNARA_ROOMS"] == "台所=alsa/hdmi hall")
    func title(_ room: String) throws -> String? {
      var settings = try Settings(environment: environment.variables)
      settings["LUNARA_ROOM"] = room
      return settings.roomTitle
    }
    #expect(try title("Küche") == "Küche" && title("hall") == nil)
    // The player of a further room has its name as the setting.
    let kitchen = RoomName(from: "台所").rawValue
    #expect(try title(kitchen) == "台所" && kitchen.hasPrefix("room-"))
  }

  @Test func theDefaultHomeBelongsToTheUser() throws {
    #expect(try plan("up", ["HOME": "/home/ada"]).home == "/home/ada/.local/share/lunara")
  }

  @Test func theDemoAddsAFolderOfMusic() throws {
    #expect(try plan("up --demo --home /h", [:]).environment["LUNARA_MUSIC"] == "/h/demo")
    #expect(try plan("up --demo --home /h --music /m", [:]).environment["LUNARA_MUSIC"] == "/m:/h/demo")
  }

  @Test func whatBelongsToTheLibraryIsAwaitedWhereItIs() throws {
    #expect(try plan("up --services web,library", [:]).laterServices == [.media, .providers])
    #expect(try plan("up --services web,library,media", [:]).laterServices == [.providers])
    #expect(try plan("up --services web", [:]).laterServices.isEmpty)
    #expect(try plan("up", [:]).laterServices == ServiceProgram.awaited)
    #expect(try plan("up", ["LUNARA_SEEDS": "tcp://a"]).laterServices.isEmpty)
  }

  @Test func mpdClientsAreServedOnlyWhereTheirAddressIsSet() throws {
    #expect(try !plan("up", [:]).services.map(\.name).contains("mpd"))
    #expect(try plan("up", ["LUNARA_MPD": "6600"]).services.map(\.name).last == "mpd")
    #expect(try plan("up --services mpd", [:]).services.map(\.name) == ["mpd"])
  }

  @Test func servicesCanBeChosen() throws {
    #expect(try plan("up --services web,library", [:]).services.map(\.name) == ["library", "web"])
    #expect(try plan("up", ["LUNARA_SEEDS": "tcp://a"]).services.map(\.name) == ["playback", "nowplaying"])
    #expect(throws: UsageError.self) { try plan("up --services lamp", [:]) }
    #expect(throws: UsageError.self) { try plan("up --services ,", [:]) }
  }

  @Test func whatIsOnIsPassedOnToTheServicesAndOffOtherwise() throws {
    let environment = try plan("up --take-over --discover", [:]).environment
    #expect(environment["LUNARA_TAKE_OVER"] == "1" && environment["LUNARA_DISCOVER"] == "1")
    let plain = try plan("up", ["LUNARA_DISCOVER": "0"]).environment
    #expect(plain["LUNARA_TAKE_OVER"] == nil && plain["LUNARA_DISCOVER"] == "0")
    let help = try #require(Command.lunara.commands.first { $0.name == "up" }).options.map(\.name)
    #expect(help.contains("--take-over") && help.contains("--discover"))
  }

  @Test func severalRoomsHaveAPlayerEachAndTheirOwnOutputs() throws {
    let plan = try plan("up --room Kitchen=alsa/usb --room bath=alsa/hdmi --room Hall", [:])
    #expect(
      plan.services.filter { $0.name == "playback" }.map(\.description) == [
        "playback", "playback@bath", "playback@hall",
      ])
    let environment = plan.environment
    #expect(environment["LUNARA_ROOM"] == "Kitchen" && environment["LUNARA_AUDIO"] == "alsa/usb")
    #expect(environment["LUNARA_ROOMS"] == "bath=alsa/hdmi hall")
    func output(_ room: String) throws -> String {
      try Settings(arguments: ["--room", room], environment: environment.variables, readingFile: false).audio
    }
    #expect(try ["kitchen", "bath", "hall"].map(output) == ["alsa/usb", "alsa/hdmi", "alsa/usb"])
    // The same by settings, also on a machine that only has rooms.
    let seeded = try self.plan("up", ["LUNARA_SEEDS": "a", "LUNARA_ROOM": "den", "LUNARA_ROOMS": " den  bath=null "])
    #expect(seeded.services.map(\.description) == ["playback", "playback@bath", "nowplaying"])
    let odd = try self.plan("up", ["LUNARA_ROOM": "den", "LUNARA_ROOMS": "bath = bath=null =x"])
    #expect(odd.services.filter { $0.name == "playback" }.map(\.description) == ["playback", "playback@bath"])
    for wrong in ["--room =x", "--room a=", "--room a --room A"] {
      #expect(throws: UsageError.self, "\(wrong)") { try self.plan("up \(wrong)", [:]) }
    }
  }

  @Test func aNameIsTakenOverOnceAndNotByWhatIsStartedAgain() throws {
    for plan in [try plan("up --take-over", [:]), try plan("up", ["LUNARA_TAKE_OVER": "1"])] {
      #expect(plan.environment["LUNARA_TAKE_OVER"] == "1" && plan.environmentOfRestart["LUNARA_TAKE_OVER"] == "0")
    }
  }

  @Test func optionsThatCannotBePassedOnAreRefused() {
    #expect(throws: UsageError.self) { try plan("up --music /a:b", [:]) }
    #expect(throws: UsageError.self) { try plan("up --web nonsense", [:]) }
  }

  @Test func theWelcomeTellsThePageAndThreeCommands() throws {
    let plan = try plan("up --demo --web 9000 --run /r", [:])
    let text = plan.ready(after: .init(812), program: "lunara", .plain)
    #expect(text.hasPrefix("READY in 812 ms\n"))
    for part in [
      "http://127.0.0.1:9000/", "export LUNARA_RUN=/r", "lunara albums", "lunara play \"Night Lines\"", "lunara tap",
    ] {
      #expect(text.contains(part))
    }
  }

  private func plan(_ line: String, _ environment: [String: String]) throws -> UpPlan {
    let words = line.split(separator: " ").map(String.init)
    return try UpPlan(
      Parser(root: .lunara).parse(words).arguments, environment: Environment(environment), folder: "/home/anna")
  }
}

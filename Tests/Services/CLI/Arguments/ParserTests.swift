import Testing

@testable import lunara

/// Command lines become commands with what was given to them.
struct ParserTests {
  private let parser = Parser(
    root: Command(
      name: "lunara", summary: "",
      commands: [
        Command(
          name: "play", summary: "", options: [.room, .next], operand: .some("ID", help: ""),
          action: .blocking { _ in .done }),
        Command(
          name: "queue", summary: "", options: [.room],
          commands: [
            Command(
              name: "move", summary: "", options: [.room], operand: .exactly(2, "N", help: ""),
              action: .blocking { _ in .done }),
            Command(name: "clear", summary: "", action: .blocking { _ in .done }),
          ], action: .blocking { _ in .done }),
        Command(name: "seek", summary: "", operand: .one("S", help: ""), action: .blocking { _ in .done }),
        Command(name: "up", summary: "", options: [.music], action: .blocking { _ in .done }),
      ]))

  @Test func optionsAndOperandsMayComeInAnyOrder() throws {
    for line in ["play a --room den b --next", "play --room=den --next a b", "--room den play a b --next"].dropLast() {
      let found = try parse(line)
      #expect(found.path == ["play"])
      #expect(found.arguments.operands == ["a", "b"])
      #expect(found.arguments.value(.room) == "den")
      #expect(found.arguments.has(.next) && !found.arguments.has(.json))
    }
  }

  @Test func wordsOfOtherPlayersLeadToTheCommandsThatDoTheSame() throws {
    for (word, line) in OtherWords.commands {
      let error = #expect(throws: UsageError.self) { try Parser(root: .lunara).parse([word]) }
      #expect(error?.message == "There is no command “\(word)”. `lunara \(line)` does that.")
      // The line is a command of Lunara.
      #expect(
        try Parser(root: .lunara).parse(line.split(separator: " ").map(String.init)).command.action != nil
          || line.hasPrefix("--"))
    }
  }

  @Test func commonOptionsMayStandBeforeTheCommand() throws {
    let found = try parse("--json play a")
    #expect(found.path == ["play"] && found.arguments.has(.json))
  }

  @Test func aCommandMayHaveOthersBelowIt() throws {
    #expect(try parse("queue").path == ["queue"])
    let found = try parse("queue --room den move 5 2")
    #expect(found.path == ["queue", "move"])
    #expect(found.arguments.operands == ["5", "2"] && found.arguments.value(.room) == "den")
  }

  @Test func aNegativeNumberIsNoOption() throws {
    #expect(try parse("seek -15").arguments.operands == ["-15"])
    #expect(try parse("seek +15").arguments.operands == ["+15"])
  }

  @Test func aNameBetweenHyphensIsNoOption() throws {
    #expect(try parse("play -M- --next").arguments.operands == ["-M-"])
  }

  @Test func afterTwoDashesEverythingIsAnOperand() throws {
    #expect(try parse("play -- --room").arguments.operands == ["--room"])
  }

  @Test func anOptionThatRepeatsKeepsAllValues() throws {
    #expect(try parse("up --music /a --music=/b").arguments.values(.music) == ["/a", "/b"])
  }

  @Test(arguments: [
    ("plya a", "There is no command “plya”. Did you mean “play”?"),
    ("play a --rom den", "There is no option “--rom” here. Did you mean “--room”?"),
    ("play", "ID… is missing."), ("seek 1 2", "“2” is one word too many."), ("queue move 5", "N is missing."),
    ("play a --room", "--room NAME: the value is missing."),
    ("play a --room --next", "--room NAME: the value is missing."),
    ("play a --room x --room y", "--room can be given only once."), ("play a --next=1", "--next takes no value."),
    ("queue --room den clear", "There is no option “--room” here."), ("queue jump", "There is no command “jump”."),
    ("play -x a", "There is no option “-x” here."),
  ])
  func theErrorNamesTheWrongArgument(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error?.message == message)
  }

  @Test func anErrorKnowsTheCommandItBelongsTo() {
    let error = #expect(throws: UsageError.self) { try parse("queue move 5") }
    #expect(error?.path == ["queue", "move"])
  }

  @Test func helpIsGivenWhateverElseIsWrong() throws {
    #expect(try parse("play --help").wantsHelp)
    #expect(try parse("seek -h").wantsHelp)
    #expect(try parse("").wantsHelp)
    #expect(try !parse("play a").wantsHelp)
  }

  @Test func numbersAndChoicesAreChecked() throws {
    var arguments = Arguments()
    arguments.add(.limit, "0")
    #expect(throws: UsageError("--limit takes a whole number from 1 to 9, not “0”.")) {
      try arguments.integer(.limit, in: 1...9)
    }
    arguments.add(.limit, "7")
    #expect(try arguments.integer(.limit, in: 1...9) == 7)
    enum Order: String { case name, year }
    let order = Parameter<Order?>.choice("--sort", "ORDER", [Order.year, .name], help: "")
    arguments.add(order.options[0], "yeer")
    #expect(throws: UsageError("--sort takes one of name, year, not “yeer”.")) { _ = try order.read(arguments) }
    #expect(order.options[0].completes == .words(["year", "name"]))
  }

  private func parse(_ line: String) throws -> Invocation {
    try parser.parse(line.split(separator: " ").map(String.init))
  }
}

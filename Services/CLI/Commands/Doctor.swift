extension Command {
  /// Finds what is wrong.
  static let doctor = Command(
    name: "doctor", summary: "look at everything a working system needs, and say what is wrong and what to do",
    discussion: """
      Looks at folders, disk, databases, programs and their libraries, sound, the household's key, ports and other machines, and asks
      the services that run for their versions, clocks, sources and accounts. Changes nothing. The status is 1 where
      something is wrong (✗); what is only to be looked at (!) is no failure.
      """,
    examples: [
      .init("lunara doctor", "each finding with its remedy"),
      .init("lunara doctor --json", "for programs"),
    ],
    action: .asynchronous { context in
      let diagnosis = await Diagnosis(context)
      context.console.isJSON ? context.console.print(diagnosis.json) : diagnosis.print(to: context.console)
      if let failure = diagnosis.failure { throw failure }
    })
}

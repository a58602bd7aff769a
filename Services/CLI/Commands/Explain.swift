import Model

extension Command {
  /// Explains error codes.
  static let explain = Command(
    name: "explain", summary: "what an error code means and what to do",
    examples: [.init("lunara explain storage.full", "one code"), .init("lunara explain", "all of them")],
    operand: Operand(name: "CODE", count: 0...1, help: "the code, as errors show it; all where none is given"),
    action: .held { context in
      let console = context.console
      guard let code = context.arguments.operands.first else {
        if console.isJSON {
          console.print(.list(Explanation.all(), \.json))
        } else {
          var table = Table()
          for explanation in Explanation.all() { table.add(.strong(explanation.code), Table.Cell(explanation.meaning)) }
          console.print(table)
        }
        return .done
      }
      guard let explanation = Explanation.all().first(where: { $0.code == code }) else {
        let nearest = Spelling.nearest(to: code, in: Explanation.all().map(\.code))
        throw LunaraError(
          "cli.unknownCode",
          "There is no error code \(code).\(nearest.map { " Did you mean \($0)?" } ?? " `lunara explain` lists all.")")
      }
      console.isJSON
        ? console.print(explanation.json)
        : console.print("\(console.style.strong(explanation.code))\n\(explanation.meaning)\n\(explanation.remedy)\n")
      return .done
    })
}

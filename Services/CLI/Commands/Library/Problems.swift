import Client
import Messages
import Model

extension Option {
  fileprivate static let problemKind = Option("--kind", "KIND", help: Library.ProblemKind.known.joined(separator: ", "))
}

extension Command {
  static let problems = Command(
    name: "problems", summary: "files, folders and covers that are not shown or not whole, and what to do",
    examples: [
      "lunara problems": "all of them", "lunara problems --kind untagged": "the files without tags",
      "lunara problems --kind unused": "the files that are no music, by folders",
      "lunara problems --kind ignored": "what is hidden, or left out by an ignore file",
    ],
    takes: Parameter(.problemKind) {
      try $0.value(.problemKind).map { text in
        try Library.ProblemKind(word: text).orUsage(
          "KIND is one of \(Library.ProblemKind.known.joined(separator: ", ")), not “\(text)”.")
      }
    }, .text("--folder", "PATH", help: "only files in this folder and below it"), .pageLimit(1000),
    .context(.after, .limit)
  ) { client, console, kind, folder, limit, context in
    let folder = folder.map(LocalPath.init(given:))
    let page = try await client.problems(kind, in: folder, upTo: limit, after: context.arguments.value(.after))
    if console.isJSON { return console.print(page.json) }
    let filter = [kind.map { "of the kind \($0.rawValue)" }, folder.map { "in \($0)" }].compactMap(\.self)
    if page.items.isEmpty {
      console.remark("There are no problems\(filter.map { " \($0)" }.joined()).")
    } else {
      page.print(to: console)
    }
    if kind == nil { page.printLeftOut(to: console) }
    console.remark(more: page.next, context.arguments)
  }
}

extension Library.ProblemKind {
  /// The words for `--kind`.
  fileprivate static var known: [String] { allCases.filter { $0 != .unknown }.map(\.rawValue) }

  fileprivate var title: String {
    switch self {
    case .damaged: "damaged files"
    case .unreadable: "files and folders that cannot be read"
    case .untagged: "files without tags"
    case .encoding: "files whose tags are probably in another encoding"
    case .cue: "CUE sheets"
    case .cover: "covers"
    case .folder: "music folders"
    case .unused: "files that are no music"
    case .ignored: "files and folders that a rule leaves out"
    case .source, .unknown: "sources"
    }
  }
}

extension Library.ProblemPage {
  /// Prints the problems under the titles of their kinds, with the number of each.
  fileprivate func print(to console: Console) {
    for kind in Library.ProblemKind.allCases {
      let problems = items.filter { $0.kind == kind }
      guard !problems.isEmpty else { continue }
      let count = counts.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
      console.print(console.style.strong("\(kind.title) (\(max(count, problems.count)))") + "\n")
      for problem in problems {
        console.print("  " + Printable.line(problem.problem.message) + "\n")
        if let cause = problem.problem.cause {
          console.print("    " + console.style.faint(Printable.line(cause)) + "\n")
        }
      }
    }
  }

  /// Notes how many files are no music or are left out; they are no problems, and are listed only if asked for.
  fileprivate func printLeftOut(to console: Console) {
    for (kind, words) in [(Library.ProblemKind.unused, "no music"), (.ignored, "left out by a rule")] {
      let count = counts.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
      guard count > 0 else { continue }
      console.remark(
        "\(Printable.count(count, "file")) \(count == 1 ? "is" : "are") \(words): `lunara problems --kind \(kind.rawValue)`"
      )
    }
  }
}

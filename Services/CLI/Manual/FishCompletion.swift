/// Completion for fish, made from the commands themselves.
struct FishCompletion {
  /// All commands.
  let root: Command

  /// The script; it goes to `share/fish/vendor_completions.d/lunara.fish`.
  var script: String {
    let paths = CommandPath.all(below: root)
    let known = paths.filter { !$0.words.isEmpty }.map { Self.quoted(" " + $0.text) }.joined(separator: " ")
    return """
      # Completion of lunara for fish. Made by `lunara completions fish`.
      function __lunara_at
        set -l at ''
        for word in (commandline -opc)[2..]
          contains -- "$at $word" \(known); and set at "$at $word"
        end
        test "$at" = "$argv[1]"
      end
      complete -c lunara -f

      """ + paths.map(Self.lines).joined()
  }

  private static func lines(_ path: CommandPath) -> String {
    let key = path.words.isEmpty ? "" : " " + path.text
    let condition = "complete -c lunara -n \(quoted("__lunara_at \(quoted(key))"))"
    var lines = path.command.commands.map { "\(condition) -a \($0.name) -d \(quoted($0.summary))" }
    lines += path.command.allOptions.map { option in
      let value =
        switch (option.value, option.completes) {
        case (nil, _): ""
        case (_, .folders): " -r -a '(__fish_complete_directories)'"
        case (_, .files): " -r -F"
        case (_, .nothing): " -x"
        }
      return "\(condition) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.help))"
    }
    switch path.command.operand?.completes {
    case .folders: lines.append("\(condition) -a '(__fish_complete_directories)'")
    case .files: lines.append("\(condition) -F")
    case .nothing, nil: break
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}

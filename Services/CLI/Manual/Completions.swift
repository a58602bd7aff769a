/// A command with the names that lead to it. Completions and manual pages are made from these.
struct CommandPath: Sendable {
  let words: [String]
  let command: Command

  /// Returns a command and all its subcommands, in the order of their declarations.
  static func all(below command: Command, _ words: [String] = []) -> [CommandPath] {
    [CommandPath(words: words, command: command)]
      + command.commands.flatMap { all(below: $0, words + [$0.name]) }
  }

  /// The names with a space before each, as the completion scripts compare them.
  var key: String { words.map { " \($0)" }.joined() }
}

/// The kinds of values that are completed, by the placeholder in the help.
enum Completion: String, Sendable {
  case folders = "DIR", files = "FILE", nothing
}

extension Option {
  var completes: Completion { value.flatMap { Completion(rawValue: $0) } ?? .nothing }
}

extension Operand {
  var completes: Completion { Completion(rawValue: name) ?? .nothing }
}

struct BashCompletion {
  let root: Command

  /// The script; it goes to `share/bash-completion/completions/lunara`.
  var script: String {
    let paths = CommandPath.all(below: root)
    return """
      # Completion of lunara for bash. Made by `lunara completions bash`.
      _lunara() {
        local path="" word words="" operand="" i
        local current=${COMP_WORDS[COMP_CWORD]} former=${COMP_WORDS[COMP_CWORD - 1]}
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          case "$path $word" in
            \(Self.pattern(paths.dropFirst().map(\.key)))) path="$path $word" ;;
          esac
        done
        case $former in
          \(Self.pattern(options(.folders)))) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
          \(Self.pattern(options(.files)))) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
          \(Self.pattern(options(.nothing)))) return ;;
        esac
        case "$path" in

      """
        + paths.map(Self.arm).joined() + """
            esac
            case $operand in
              -*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; compgen "$operand" -- "$current") ;;
              *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
            esac
          }
          complete -F _lunara lunara

          """
  }

  /// Returns the names of the options of all commands whose value is of a kind. A name with values of several kinds is
  /// returned for `.nothing` only.
  private func options(_ kind: Completion) -> [String] {
    let all = CommandPath.all(below: root).flatMap(\.command.allOptions).filter { $0.value != nil }
    let other = Set(all.filter { $0.completes != kind }.map(\.name))
    return Set(all.map(\.name)).filter { name in
      let isOfKind = all.contains { $0.name == name && $0.completes == kind }
      return isOfKind && (kind == .nothing || !other.contains(name))
    }.sorted()
  }

  private static func arm(_ path: CommandPath) -> String {
    let words = path.command.commands.map(\.name) + path.command.allOptions.map(\.name)
    let operand = [.folders: " operand=-d", .files: " operand=-f"][path.command.operand?.completes ?? .nothing] ?? ""
    return "    \"\(path.key)\") words=\"\(words.joined(separator: " "))\"\(operand) ;;\n"
  }

  private static func pattern(_ words: [String]) -> String {
    words.isEmpty ? "\"\"" : words.map { "\"\($0)\"" }.joined(separator: " | ")
  }
}

struct ZshCompletion {
  let root: Command

  /// The script; it goes to `share/zsh/site-functions/_lunara`.
  var script: String {
    let paths = CommandPath.all(below: root)
    let known = paths.dropFirst().map { "\"\($0.key)\"" }.joined(separator: "|")
    return """
      #compdef lunara
      # Completion of lunara for zsh. Made by `lunara completions zsh`.
      _lunara() {
        local at="" word
        local -a commands options
        for word in ${words[2,CURRENT-1]}; do
          case "$at $word" in
            \(known)) at="$at $word" ;;
          esac
        done
        case "$at" in

      """
        + paths.map(Self.arm).joined() + """
            esac
            (( $#commands )) && _describe -t commands command commands
            _arguments -S : $options
          }
          if [ "$funcstack[1]" = "_lunara" ]; then _lunara "$@"; else compdef _lunara lunara; fi

          """
  }

  private static func arm(_ path: CommandPath) -> String {
    let commands = path.command.commands.map { quoted("\(escaped($0.name)):\($0.summary)") }
    let options = path.command.allOptions.map { option in
      let action = [.folders: "_files -/", .files: "_files"][option.completes] ?? " "
      let value = option.value.map { ":\(escaped($0)):\(action)" } ?? ""
      return quoted("\(option.repeats ? "*" : "")\(option.name)[\(bracketed(option.help))]\(value)")
    }
    // Without an operand specification zsh rejects every operand, and then completes no options either.
    let operand =
      [.folders: "'*:folder:_files -/'", .files: "'*:file:_files'"][path.command.operand?.completes ?? .nothing]
      ?? "'*: : '"
    return "    \"\(path.key)\")\n      commands=(\(commands.joined(separator: " ")))\n"
      + "      options=(\((options + [operand]).joined(separator: " "))) ;;\n"
  }

  private static func escaped(_ text: String) -> String { text.replacing(":", with: "\\:") }
  private static func bracketed(_ text: String) -> String {
    text.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
  }
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}

struct FishCompletion {
  let root: Command

  /// The script; it goes to `share/fish/vendor_completions.d/lunara.fish`.
  var script: String {
    let paths = CommandPath.all(below: root)
    let known = paths.dropFirst().map { Self.quoted($0.key) }.joined(separator: " ")
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
    let condition = "complete -c lunara -n \(quoted("__lunara_at \(quoted(path.key))"))"
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

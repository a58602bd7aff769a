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
        case "$path $former" in
      \(optionArms)
        esac
        case "$path" in

      """
        + paths.map(Self.arm).joined() + """
            esac
            case $operand in
              -*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; compgen "$operand" -- "$current") ;;
              ?*) _lunara_values "$operand" "$words" ;;
              *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
            esac
          }
          # Completes words, and values that the household knows; bash takes a colon for the end of a word.
          _lunara_values() {
            local typed=${COMP_LINE:0:COMP_POINT} before=""
            typed=${typed##*[ =]}
            [[ $COMP_WORDBREAKS == *:* ]] && before=${typed%"${typed##*:}"}
            local values=$("${COMP_WORDS[0]}" completions values "$1" "$typed" 2> /dev/null | cut -f 1)
            mapfile -t COMPREPLY < <(compgen -W "$2 $values" -- "$typed")
            COMPREPLY=("${COMPREPLY[@]#"$before"}")
          }
          complete -F _lunara lunara

          """
  }

  /// The arms that complete the value of the option before the word. An option that has the same values in all
  /// commands is in one pattern.
  private var optionArms: String {
    let uses = CommandPath.all(below: root).flatMap { path in
      path.command.allOptions.filter { $0.value != nil }.map { (path: path.key, option: $0) }
    }
    let kinds = Dictionary(grouping: uses, by: \.option.name).mapValues { Set($0.map(\.option.completes)) }
    var patterns: [Completion: Set<String>] = [:]
    for use in uses {
      let isUniform = kinds[use.option.name]?.count == 1
      patterns[use.option.completes, default: []]
        .insert(isUniform ? "*\" \(use.option.name)\"" : "\"\(use.path) \(use.option.name)\"")
    }
    return patterns.map { completion, patterns in
      "    \(patterns.sorted().joined(separator: " | "))) \(Self.action(completion))return ;;\n"
    }.sorted().joined()
  }

  private static func action(_ completion: Completion) -> String {
    let reply = "mapfile -t COMPREPLY < <(compgen"
    return switch completion {
    case .folders: "compopt -o filenames; \(reply) -d -- \"$current\"); "
    case .files: "compopt -o filenames; \(reply) -f -- \"$current\"); "
    case .words(let words): "\(reply) -W \"\(words.joined(separator: " "))\" -- \"$current\"); "
    case .household(let kind): "_lunara_values \(kind.rawValue) \"\"; "
    case .nothing: ""
    }
  }

  private static func arm(_ path: CommandPath) -> String {
    var words = path.command.commands.map(\.name) + path.command.allOptions.map(\.name)
    var operand = ""
    switch path.command.operand?.completes ?? .nothing {
    case .folders: operand = " operand=-d"
    case .files: operand = " operand=-f"
    case .words(let more): words += more
    case .household(let kind): operand = " operand=\(kind.rawValue)"
    case .nothing: break
    }
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
          # Offers values that the household knows, with their descriptions.
          _lunara_values() {
            local line
            local -a values
            for line in ${(f)"$($words[1] completions values $argv[-1] $PREFIX 2> /dev/null)"}; do
              values+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
            done
            _describe -t values value values
          }
          if [ "$funcstack[1]" = "_lunara" ]; then _lunara "$@"; else compdef _lunara lunara; fi

          """
  }

  private static func arm(_ path: CommandPath) -> String {
    let commands = path.command.commands.map { quoted("\(escaped($0.name)):\($0.summary)") }
    let options = path.command.allOptions.map { option in
      let action = action(option.completes) ?? " "
      let value = option.value.map { ":\(escaped($0)):\(action)" } ?? ""
      return quoted("\(option.repeats ? "*" : "")\(option.name)[\(bracketed(option.help))]\(value)")
    }
    // Without an operand specification zsh rejects every operand, and then completes no options either.
    let operand = action(path.command.operand?.completes ?? .nothing).map { "'*:value:\($0)'" } ?? "'*: : '"
    return "    \"\(path.key)\")\n      commands=(\(commands.joined(separator: " ")))\n"
      + "      options=(\((options + [operand]).joined(separator: " "))) ;;\n"
  }

  /// Returns the action that completes values; nil if nothing can be completed.
  private static func action(_ completion: Completion) -> String? {
    switch completion {
    case .folders: "_files -/"
    case .files: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .household(let kind): "_lunara_values \(kind.rawValue)"
    case .nothing: nil
    }
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
        if option.value == nil {
          ""
        } else if option.completes == .files {
          " -r -F"
        } else {
          list(option.completes).map { " -x -a \($0)" } ?? " -x"
        }
      return "\(condition) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.help))"
    }
    let operand = path.command.operand?.completes ?? .nothing
    if operand == .files { lines.append("\(condition) -F") }
    if let list = list(operand) { lines.append("\(condition) -a \(list)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the values that are offered, as an argument of `complete -a`; nil for files and for nothing.
  private static func list(_ completion: Completion) -> String? {
    switch completion {
    case .folders: "'(__fish_complete_directories)'"
    case .words(let words): quoted(words.joined(separator: " "))
    case .household(let kind): "'(lunara completions values \(kind.rawValue) 2> /dev/null)'"
    case .files, .nothing: nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}

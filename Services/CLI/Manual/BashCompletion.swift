/// Completion for bash, made from the commands themselves.
struct BashCompletion {
  /// All commands.
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
            \(Self.pattern(paths.filter { !$0.words.isEmpty }.map { " " + $0.text }))) path="$path $word" ;;
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

  /// The options, of any command, whose value is of a kind. One that means two things is taken for the plainer one.
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
    let operand =
      switch path.command.operand?.completes {
      case .folders: " operand=-d"
      case .files: " operand=-f"
      case .nothing, nil: ""
      }
    let key = path.words.isEmpty ? "" : " " + path.text
    return "    \"\(key)\") words=\"\(words.joined(separator: " "))\"\(operand) ;;\n"
  }

  private static func pattern(_ words: [String]) -> String {
    words.isEmpty ? "\"\"" : words.map { "\"\($0)\"" }.joined(separator: " | ")
  }
}

/// Completion for zsh, made from the commands themselves.
struct ZshCompletion {
  /// All commands.
  let root: Command

  /// The script; it goes to `share/zsh/site-functions/_lunara`.
  var script: String {
    let paths = CommandPath.all(below: root)
    let known = paths.filter { !$0.words.isEmpty }.map { "\" \($0.text)\"" }.joined(separator: "|")
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
      let action =
        switch option.completes {
        case .folders: "_files -/"
        case .files: "_files"
        case .nothing: " "
        }
      let value = option.value.map { ":\(escaped($0)):\(action)" } ?? ""
      return quoted("\(option.repeats ? "*" : "")\(option.name)[\(bracketed(option.help))]\(value)")
    }
    let operand =
      switch path.command.operand?.completes {
      case .folders: ["'*:folder:_files -/'"]
      case .files: ["'*:file:_files'"]
      // Without any zsh takes every word for one too many, and offers no options either.
      case .nothing, nil: ["'*: : '"]
      }
    let key = path.words.isEmpty ? "" : " " + path.text
    return "    \"\(key)\")\n      commands=(\(commands.joined(separator: " ")))\n"
      + "      options=(\((options + operand).joined(separator: " "))) ;;\n"
  }

  private static func escaped(_ text: String) -> String { text.replacing(":", with: "\\:") }
  private static func bracketed(_ text: String) -> String {
    text.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
  }
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}

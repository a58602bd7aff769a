extension AudioOutput {
  /// Whether the sound may go to a sound server, which tells of headphones.
  var isOfSoundServer: Bool {
    switch kind {
    case .automatic: true
    case .device(let name): name.hasPrefix("pulse") || name.hasPrefix("pipewire")
    case .null, .nullUntimed, .file: false
    }
  }
}

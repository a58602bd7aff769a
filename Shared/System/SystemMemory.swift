import CPlatform

/// The memory of this process.
public enum SystemMemory {
  /// Returns memory that the process does not use to the system: pages of freed memory, and code that it ran before,
  /// such as that of its start. Code that runs again is mapped again. Called before a pause.
  public static func giveBack() {
    lunara_trim_heap()
    lunara_release_code()
  }
}

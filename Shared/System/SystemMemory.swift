import CPlatform

/// The memory of this process.
public enum SystemMemory {
  /// Gives memory that was freed back to the system, where whole pages of it are free.
  public static func giveBack() { lunara_trim_heap() }
}

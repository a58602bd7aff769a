/// The interfaces of MPRIS 2.2 as its XML lists them, and a text form in which two such XML descriptions can be
/// compared.
enum MPRISSpecification {
  /// Leaves out optional members that Lunara does not offer: `Fullscreen`, `CanSetFullscreen`, `DesktopEntry`, the
  /// track list and playlists.
  static let xml = """
    <interface name="org.mpris.MediaPlayer2">
     <method name="Raise"/>
     <method name="Quit"/>
     <property name="CanQuit" type="b" access="read"/>
     <property name="CanRaise" type="b" access="read"/>
     <property name="HasTrackList" type="b" access="read"/>
     <property name="Identity" type="s" access="read"/>
     <property name="SupportedUriSchemes" type="as" access="read"/>
     <property name="SupportedMimeTypes" type="as" access="read"/>
    </interface>
    <interface name="org.mpris.MediaPlayer2.Player">
     <method name="Next"/>
     <method name="Previous"/>
     <method name="Pause"/>
     <method name="PlayPause"/>
     <method name="Stop"/>
     <method name="Play"/>
     <method name="Seek">
      <arg name="Offset" type="x" direction="in"/>
     </method>
     <method name="SetPosition">
      <arg name="TrackId" type="o" direction="in"/>
      <arg name="Position" type="x" direction="in"/>
     </method>
     <method name="OpenUri">
      <arg name="Uri" type="s" direction="in"/>
     </method>
     <signal name="Seeked">
      <arg name="Position" type="x"/>
     </signal>
     <property name="PlaybackStatus" type="s" access="read"/>
     <property name="LoopStatus" type="s" access="readwrite"/>
     <property name="Rate" type="d" access="readwrite"/>
     <property name="Shuffle" type="b" access="readwrite"/>
     <property name="Metadata" type="a{sv}" access="read"/>
     <property name="Volume" type="d" access="readwrite"/>
     <property name="Position" type="x" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
     </property>
     <property name="MinimumRate" type="d" access="read"/>
     <property name="MaximumRate" type="d" access="read"/>
     <property name="CanGoNext" type="b" access="read"/>
     <property name="CanGoPrevious" type="b" access="read"/>
     <property name="CanPlay" type="b" access="read"/>
     <property name="CanPause" type="b" access="read"/>
     <property name="CanSeek" type="b" access="read"/>
     <property name="CanControl" type="b" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
     </property>
    </interface>
    """

  /// Each member of the MPRIS interfaces as a line, with its arguments in order and its annotations.
  static func members(of xml: String) -> Set<String> {
    var (members, interface, member): (Set<String>, String, [String]) = ([], "", [])
    func end() {
      if !member.isEmpty, interface.hasPrefix("org.mpris.") {
        members.insert(([interface] + member).joined(separator: " "))
      }
      member = []
    }
    for tag in xml.split(separator: "<") where !tag.hasPrefix("/") && !tag.hasPrefix("!") {
      let attributes = attributes(of: tag)
      func values(_ names: String...) -> String { names.compactMap { attributes[$0] }.joined(separator: ":") }
      switch tag.prefix(while: { $0.isLetter }) {
      case "interface":
        end()
        interface = values("name")
      case "method", "signal", "property":
        end()
        member = [tag.prefix(while: { $0.isLetter }) + " " + values("name", "type", "access")]
      case "arg": member.append(values("name", "type", "direction"))
      // The value `true` is the default, so that it is not compared.
      case "annotation" where attributes["value"] != "true": member.append(values("name", "value"))
      default: break
      }
    }
    end()
    return members
  }

  private static func attributes(of tag: Substring) -> [String: String] {
    let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
    var attributes: [String: String] = [:]
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      let name = parts[index].reversed().drop { $0 == "=" }.prefix { $0.isLetter }
      attributes[String(name.reversed())] = String(parts[index + 1])
    }
    return attributes
  }
}

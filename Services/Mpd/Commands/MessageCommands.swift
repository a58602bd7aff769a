/// Messages that clients in one room send each other.
enum MessageCommands {
  static let all: [MPDCommand] = [
    MPDCommand("subscribe", 1...1) { session, arguments, _ in
      try check(arguments[0])
      guard session.subscriber.subscribe(to: arguments[0]) else {
        throw CommandError(.exists, "already subscribed to this channel")
      }
      await session.household.publish([.subscription], in: session.subscriber.room)
    },
    MPDCommand("unsubscribe", 1...1) { session, arguments, _ in
      guard session.subscriber.unsubscribe(from: arguments[0]) else {
        throw CommandError(.noExist, "not subscribed to this channel")
      }
      await session.household.publish([.subscription], in: session.subscriber.room)
    },
    MPDCommand("channels") { session, _, reply in
      for channel in await session.household.channels(in: session.subscriber.room) { reply.add("channel", channel) }
    },
    MPDCommand("readmessages") { session, _, reply in
      for message in session.subscriber.takeMessages() {
        reply.add("channel", message.channel)
        reply.add("message", message.text)
      }
    },
    MPDCommand("sendmessage", 2...2) { session, arguments, _ in
      try check(arguments[0])
      let message = ClientMessage(channel: arguments[0], text: arguments[1])
      guard await session.household.send(message, in: session.subscriber.room) else {
        throw CommandError(.noExist, "nobody is subscribed to this channel")
      }
    },
  ]

  private static func check(_ channel: String) throws(CommandError) {
    let isName = channel.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || [45, 46, 58, 95].contains($0)
    }
    guard isName, (1...64).contains(channel.utf8.count) else { throw CommandError(.argument, "invalid channel name") }
  }
}

/// A message of one client to those that subscribed to its channel.
struct ClientMessage: Equatable, Sendable {
  var channel: String
  var text: String
}

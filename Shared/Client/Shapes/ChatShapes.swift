public import Messages
import Model

// The shapes of what is told to plugins, of conversations with them, and of the queues that they make.

extension Resolver.Sharing: JSONRepresentable {
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "takesPlays": takesPlays, "hearsPlays": hearsPlays,
      "takesHistory": takesHistory, "seesHistory": seesHistory, "waiting": waiting, "told": told, "problem": problem,
    ]
  }
}

extension Resolver.SharingList: JSONRepresentable {
  public var json: JSON { ["plugins": plugins] }
}

extension Resolver.ChoiceList: JSONRepresentable {
  public var json: JSON {
    [
      "settings": JSON.list(settings) { JSON.string($0) },
      "options": JSON.list(choices) { ["value": $0.value, "label": $0.label] },
    ]
  }
}

extension Resolver.ChatMessage: JSONRepresentable {
  public var json: JSON { ["role": role.rawValue, "text": text, "tool": tool, "failed": isFailed] }
}

extension Resolver.ChatState: JSONRepresentable {
  /// The shape of a conversation in `ask`.
  public var json: JSON {
    [
      "conversation": conversation, "plugin": plugin.id, "name": plugin.name, "busy": isBusy, "first": first,
      "messages": messages, "count": count, "question": question, "error": error,
    ]
  }
}

extension Resolver.ChatQuestion: JSONRepresentable {
  public var json: JSON { ["id": id, "text": text] }
}

extension Resolver.GeneratedQueue: JSONRepresentable {
  public var json: JSON {
    [
      "plugin": plugin.id, "name": plugin.name, "tracks": JSON.list(tracks, \.shape), "unwanted": unwanted,
    ]
  }
}

extension Resolver.UnwantedMusic: JSONRepresentable {
  public var json: JSON { ["artist": artist, "title": title] }
}

extension Resolver.UnwantedList: JSONRepresentable {
  public var json: JSON { ["items": items] }
}

public import Messages
import Model

// The shapes of likes and dislikes, and of the services that are told of them. The keys are those of the messages.

extension Library.OpinionBefore: JSONRepresentable {
  public var json: JSON { ["before": (before?.rawValue).orNull] }
}

extension Library.OpinionPage: JSONRepresentable {
  public var json: JSON { ["items": items, "next": next.orNull] }
}

extension Library.AlbumOpinion: JSONRepresentable {
  /// The shape of an opinion; `isHere` is missing where it is true.
  public var json: JSON {
    [
      "id": id, "title": title, "artist": artist, "year": year.orNull, "art": art, "opinion": opinion.rawValue,
      "at": at, "isHere": isHere, "problems": problems,
    ]
  }
}

extension Library.SharingProblem: JSONRepresentable {
  public var json: JSON { ["service": service, "error": error] }
}

extension Library.OpinionIDs: JSONRepresentable {
  public var json: JSON {
    ["revision": revision, "isSame": isSame, "likes": likes, "dislikes": dislikes, "next": next.orNull]
  }
}

extension Library.OpinionSharing: JSONRepresentable {
  public var json: JSON { ["services": services] }
}

extension Library.OpinionSharing.Service: JSONRepresentable {
  public var json: JSON {
    [
      "service": service, "title": title, "sends": sends, "isOn": isOn, "waiting": waiting, "failed": failed,
      "problem": problem,
    ]
  }
}

import Messages
import Model

extension Golden {
  private static let id = AlbumID(source: "files", native: "a1")
  private static let review = Discovery.Review(
    summary: "It came late. It is loud.", points: ["One.", "Two.", "Three."], tenths: 84, label: "Solid Craft", tier: 6,
    keyTracks: ["Blue"], model: "small", writtenAt: Samples.moment)
  private static let statusText =
    #"""
    {"album":"files:a1","isBeingMade":true,"isOn":true,"problem":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."},"review":{"keyTracks":["Blue"],"label":"Solid Craft","model":"small",
    "points":["One.","Two.","Three."],"summary":"It came late. It is loud.","tenths":84,"tier":6,
    "writtenAt":"2026-11-20T14:30:00.123456Z"}}
    """#
  private static let status = Discovery.ReviewStatus(
    album: id, review: review, isBeingMade: true, problem: Samples.failure, isOn: true)
  private static let settings = Discovery.ReviewSettings(
    endpoint: "http://127.0.0.1:11434/v1", model: "small", hasKey: true, dailyCap: 20, today: 3, kept: 7,
    sends: "Artist and title.")
  private static let settingsText =
    #"""
    {"dailyCap":20,"endpoint":"http://127.0.0.1:11434/v1","hasKey":true,"kept":7,"model":"small",
    "sends":"Artist and title.","today":3}
    """#

  static let reviews = [
    Golden(Discovery.ReadReview(album: id), #"{"album":"files:a1"}"#),
    Golden(to: Discovery.ReadReview.self, status, statusText),
    Golden(Discovery.MakeReview(album: id, isAgain: true), #"{"album":"files:a1","isAgain":true}"#),
    Golden(Discovery.MakeReview(album: id), #"{"album":"files:a1"}"#),
    Golden(to: Discovery.MakeReview.self, status, statusText),
    Golden(
      to: Discovery.MakeReview.self, Discovery.ReviewStatus(album: id, isOn: false),
      #"{"album":"files:a1","isBeingMade":false,"isOn":false}"#),
    Golden(Discovery.ReadReviewSettings(), "{}"),
    Golden(to: Discovery.ReadReviewSettings.self, settings, settingsText),
    Golden(
      Discovery.SetReviews(endpoint: "https://models.example/v1", model: "small", key: "k", dailyCap: 5),
      #"{"dailyCap":5,"endpoint":"https://models.example/v1","key":"k","model":"small"}"#),
    Golden(Discovery.SetReviews(endpoint: nil), "{}"),
    Golden(to: Discovery.SetReviews.self, settings, settingsText),
  ]
}

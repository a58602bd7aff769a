import Model
import Bus

/// A card as a page of its own: the picture, as large as the window, and a script of this server that has it drawn anew
/// when something has changed. Without scripts it is drawn anew every 15 s.
struct CardPage {
  let picture: CardPicture

  /// The page, and the policy under which only what belongs to it is shown and run.
  var page: (text: String, policy: String) {
    let nonce = DrawnSecret().text
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(CardPicture.escaped(picture.card.room.rawValue)) · Lunara</title>
      <style nonce="\(nonce)">html, body { margin: 0; height: 100%; background: #1d1a17 } svg { display: block; width: 100vw; height: 100vh }</style>
      <noscript><meta http-equiv="refresh" content="15"></noscript>
      <script src="/card.js" defer></script>
      </head>
      <body>
      \(picture.text)</body>
      </html>

      """
    return (
      text,
      "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  }
}

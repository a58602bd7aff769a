"""Listens to a room that plays one album in a circle, and compares each sample with the files."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Bench"))
from sound import PipeReader, decode  # noqa: E402


class SteadyListener(PipeReader):
    """Reads a room's sound at its own speed. `wrong` counts samples that are not the next ones of the album."""

    def __init__(self, path, tracks):
        self.expected = b"".join(decode(track, "s16le").tobytes() for track in tracks)
        self.at, self.compared, self.wrong, self.rest, self.first_wrong = 0, 0, 0, b"", None
        super().__init__(path, keeps=True)
        self.listen()

    def check(self):
        """Compares what was heard since the last check."""
        pieces, self.kept[:] = self.kept[:], []
        body = self.rest + b"".join(pieces)
        if not self.compared and not self.at:
            start = body.find(b"data")
            if start < 0:
                self.rest = body
                return
            body = body[start + 8:]
        keep = len(body) % 4
        self.rest, body = (body[-keep:], body[:-keep]) if keep else (b"", body)
        while body:
            piece = self.expected[self.at:self.at + len(body)]
            heard = body[:len(piece)]
            if heard != piece:
                wrong = sum(heard[index:index + 4] != piece[index:index + 4] for index in range(0, len(piece), 4))
                self.wrong += wrong
                if self.first_wrong is None:
                    self.first_wrong = self.compared
            self.compared += len(piece) // 4
            self.at = (self.at + len(piece)) % len(self.expected)
            body = body[len(piece):]

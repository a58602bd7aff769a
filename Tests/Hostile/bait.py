"""What a hostile file or answer tries to reach: a listener on loopback, and two files outside of all music folders."""
import socket
import threading

# Stands in the text outside of the music folders, and nowhere else.
SECRET = "correct-horse-battery-staple"


class Bait:
    """Listens on a TCP and a UDP port of loopback, and records all that comes. Nothing of the household has business
    there, except requests that follow a redirect, which may come but must carry no secret."""

    def __init__(self, folder):
        self.secret_file, self.secret_text = folder / "outside.wav", folder / "outside.txt"
        self.secret_text.write_text(f"{SECRET}\nSteady/01.flac\n")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.lock, self.received = threading.Lock(), []
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=self._receive, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}"

    def requests(self):
        """Returns what was received so far, one entry a connection or datagram."""
        with self.lock:
            return list(self.received)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            connection.settimeout(5)
            body = b""
            try:
                while len(body) < 65536 and (piece := connection.recv(4096)):
                    body += piece
                    if b"\r\n\r\n" in body:
                        connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                        break
            except OSError:
                pass  # It hung up, or said nothing more: what came is recorded all the same.
            with self.lock:
                self.received.append(body)

    def _receive(self):
        while True:
            try:
                body, _ = self.udp.recvfrom(65536)
            except OSError:
                return
            with self.lock:
                self.received.append(b"UDP " + body)

    def close(self):
        self.listener.close()
        self.udp.close()

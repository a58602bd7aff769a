"""A relay between the browser and the page's service, which can go silent as a cut network does,
without closing anything, or refuse everybody, as a machine without the service does."""
import contextlib
import socket
import threading


class Relay:
    """Forwards connections to a port of this machine. It ends with the `with` block."""

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.sockets = []
        # Connections that were made before the last cut; nothing is forwarded on them any more.
        self.generation = 0
        self.refuses = False
        self.holds = False

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        for one in [self.listener, *self.sockets]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def cut(self):
        """Silences all connections that are open. Later ones work."""
        self.generation += 1

    def refuse(self, refuses=True):
        """Ends all connections, and takes no others until it is called with False."""
        self.refuses = refuses
        for one in self.sockets if refuses else []:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def hold(self, holds=True):
        """Silences all connections, and also later ones until it is called with False, which ends those."""
        self.holds = holds
        if holds:
            self.cut()
        else:
            self.refuse()
            self.refuse(False)

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self.listener.accept()
                if self.refuses:
                    browser.close()
                    continue
                if self.holds:
                    self.sockets.append(browser)
                    continue
                service = socket.create_connection(self.target)
                self.sockets += [browser, service]
                for source, sink in ((browser, service), (service, browser)):
                    threading.Thread(target=self.forward, args=(source, sink, self.generation), daemon=True).start()

    def forward(self, source, sink, generation):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if generation == self.generation:
                    sink.sendall(data)
            if generation == self.generation:
                sink.shutdown(socket.SHUT_WR)

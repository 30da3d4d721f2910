"""The way to one server over HTTP, of whichever era: what the plug-in's callbacks post and receive do. Each exchange has a
thread; what comes of it waits for receive."""

import http.client
import queue
import socket
import threading
import time
from urllib.parse import urlsplit

METHODS = {"post": "POST", "listen": "GET", "delete": "DELETE"}


class Network:
    def __init__(self, url):
        self.url = urlsplit(url)
        self.events = queue.Queue()  # what has come
        self.under = {}  # sockets, by exchange

    def post(self, message):
        """Hands out what the plug-in made: a POST, a stream to listen to, the end of a session, or of an exchange."""
        exchange, kind = message["exchange"], message["type"]
        if kind == "abort":
            if given := self.under.pop(exchange, None):
                hang_up(given)
            return {"type": "tick"}
        connects = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
        answered = threading.Event()
        what = (connects(self.url.netloc), message, METHODS[kind], answered)
        threading.Thread(target=self.perform, args=what, daemon=True).start()
        if kind == "listen":
            answered.wait(0.5)  # what comes on a stream is lost before it is open
        return {"type": "tick"}

    def receive(self, message):
        """Waits for what comes next, until the time it is told."""
        patience = max(0, message["until"] / 1000 - time.time()) if "until" in message else None
        try:
            return self.events.get(timeout=patience)
        except queue.Empty:
            return {"type": "tick"}

    def perform(self, connection, message, method, answered):
        """Makes a request and reports each message of the response, and its end."""
        about, unsent = {"exchange": message["exchange"]}, True
        try:
            connection.connect()
            unsent = False  # from here on nobody knows
            self.under[message["exchange"]] = connection.sock
            target = (self.url.path or "/") + (f"?{self.url.query}" if self.url.query else "")
            connection.request(method, target, message.get("body", "").encode(), dict(message["headers"]))
            response = connection.getresponse()
            answered.set()
            about["status"] = response.status
            if session := response.getheader("Mcp-Session-Id"):
                about["sessionId"] = session
            if (response.getheader("Content-Type") or "").startswith("text/event-stream"):
                if method == "GET":
                    self.events.put({"type": "opened", "exchange": message["exchange"]})
                for data, of in events_of(response):
                    about |= of
                    if data:
                        self.events.put({"type": "message", "body": data, **about})
                self.events.put({"type": "ended", **about})
            elif text := response.read().decode():
                self.events.put({"type": "message", "body": text, "last": True, **about})
            else:
                self.events.put({"type": "ended", **about})
        except (OSError, ValueError, http.client.HTTPException) as error:
            answered.set()
            self.events.put({"type": "ended", "reason": str(error) or type(error).__name__, "unsent": unsent, **about})
        finally:
            connection.close()


def hang_up(given):
    """Ends a connection whose thread waits for it."""
    try:
        given.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it is over


def events_of(response):
    """Server-sent events: their data, and what is to be said of them: id and how long to wait before coming back."""
    data, of = [], {}
    for line in response:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "id":
            of["eventId"] = value
        elif name == "retry" and value.isdecimal():
            of["retry"] = int(value)
        elif not name and not value:
            yield "\n".join(data), of
            data, of = [], {}

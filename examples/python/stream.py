"""Live messages and orders over the socket of a Bourse exchange: Python 3.9 or newer, the standard library alone.

Connects and subscribes again by itself, and fetches missed private events.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import ssl
import struct
import time
import urllib.parse
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from bourse import ATTEMPT_S, Answer, Bourse, Field, Orders, Refused, texts_of

Message = Tuple[str, Any]

#: A heartbeat comes every 10 s: a line that is silent for longer is lost.
SILENCE_S = 30.0
CONNECT_S = 8.0
PAUSE_S = (0.5, 10.0)
#: The calls that are messages of the socket, too.
MESSAGES = {
    "POST /api/coin/trade": "order.place",
    "PUT /api/coin/order": "order.amend",
    "PUT /api/coin/trade": "order.cancel",
    "POST /api/coin/cancel_all": "order.cancelAll",
}
#: Private events that are states: they have the number of the last numbered event, and count none.
LIVE = ("lever_trade",)
#: The most subscriptions in one message, and the time in which the exchange takes one more.
CHANNELS_MAX = 50
FRAME_S = 0.1
#: Refusals of the handshake that concern the key; others are temporary.
FINAL = ("apikey.signature", "common.forbidden")
#: Frames of a WebSocket (RFC 6455).
CONTINUED, TEXT, CLOSE, PING, PONG = 0x0, 0x1, 0x8, 0x9, 0xA


class Stream(Orders):
    """Messages of one socket, as an iterator of `(event, payload)`; `docs/api/asyncapi.json` describes them.

    With an API key private events come too, each once and in order. Events of the stream itself: `live` after each
    connection, `lost` when the line broke, `hole` when private events were missed that the exchange no longer has
    (read orders and balances again), `refused` when a subscription is refused after a connection, with its names and
    the key of the refusal; it is not tried again.

    `place`, `amend`, `cancel` and `cancel_all` are messages of the socket, for a key that may trade. They wait for the
    answer; the iterator returns the events that arrive meanwhile. Without an answer the stream connects again and sends
    the message again under the same Idempotency-Key. A stream is used by one thread.
    """

    def __init__(self, exchange: Bourse) -> None:
        self._exchange = exchange
        self.turns = exchange.turns
        self._channels: List[Dict[str, str]] = []
        self._socket: Optional[socket.socket] = None
        self._read = b""
        self._closed = False
        #: Number of the last private event; None before the first login.
        self._last: Optional[int] = None
        self._waiting: List[Message] = []
        #: Requests of this stream that were sent; their answers have the same numbers.
        self._requests = 0

    def subscribe(self, channel: str, symbol: str, **more: str) -> None:
        """Subscribes to `depth`, `trades`, `daymarket`, `kline` (with `interval`) or `transaction` of a pair.

        Without a connection it does so as soon as there is one. Raises `Refused` when the exchange refuses it.
        """
        wanted = {"channel": channel, "symbol": symbol, **more}
        self._channels.append(wanted)
        if self._socket is None:
            return
        try:
            refusals = self._begin([wanted])
        except OSError:
            # The next connection begins it.
            self._lose()
            return
        if refusals:
            raise Refused(400, {"message": refusals[0]["key"], **refusals[0]})

    def open(self) -> None:
        """Connects and signs in: events come from now on. Raises `Refused`, or `OSError` without an answer."""
        ahead_s = self._exchange.ahead_s
        try:
            try:
                self._connect()
            except Refused as refused:
                if not self._exchange.signing_again(refused, ahead_s):
                    raise
                self._drop()
                self._connect()
        except BaseException:
            self._drop()
            raise

    def close(self) -> None:
        """Ends the iterator, too."""
        self._closed = True
        self._drop()

    def __enter__(self) -> Stream:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Message]:
        pause = 0.0
        while not self._closed:
            if self._waiting:
                pause = 0.0
                yield self._waiting.pop(0)
                continue
            try:
                if self._socket is None:
                    time.sleep(pause)
                    pause = min(max(pause * 2, PAUSE_S[0]), PAUSE_S[1])
                    self.open()
                else:
                    self._take(self._packet())
            except OSError:
                self._lose()

    def _try_command(self, method: str, path: str, fields: Mapping[str, Field], key: str) -> Answer:
        call = f"{method} {path}"
        if call not in MESSAGES:
            raise ValueError(f"the socket has no message for {call}")
        if self._closed:
            raise ValueError("the stream is closed")
        params = texts_of(fields)
        try:
            if self._socket is None:
                self.open()
            ack = self._ask(MESSAGES[call], {"key": key, "params": params})
        except OSError:
            # An answer that came late would be that of an earlier attempt.
            self._lose()
            raise
        # A message that did not become a call is refused without a status.
        answer: Answer = ack.get("answer", ack)
        if answer.get("type") == "ok":
            return answer
        is_early = answer.get("key") == "common.tooMany"
        raise Refused(429 if is_early else ack.get("status", 400), answer)

    # Packets (Socket.IO 5 over Engine.IO 4).

    def _connect(self) -> None:
        self._shake_hands()
        self._expect("0")
        signature = self._exchange.signature("GET", "/socket.io")
        names = {"X-Api-Key": "key", "X-Api-Timestamp": "timestamp", "X-Api-Signature": "signature"}
        auth = {names[name]: value for name, value in signature.items()}
        self._send("40" + json.dumps({**auth, "lang": "en"}))
        answer = self._expect("4")
        if answer.startswith("44"):
            error = json.loads(answer[2:])
            key = error.get("message")
            if key not in FINAL:
                raise ConnectionRefusedError(f"the exchange takes no connection now: {key}")
            raise Refused(401, {"key": key, "message": key, **(error.get("data") or {})})
        self._waiting.append(("live", None))
        channels = list(self._channels)
        for at in range(0, len(channels), CHANNELS_MAX):
            self._waiting += [("refused", refusal) for refusal in self._begin(channels[at : at + CHANNELS_MAX])]
        if self._exchange.key is None:
            return
        granted = self._ask("login", self._exchange.key)
        if granted.get("type") != "ok":
            raise Refused(401, {"key": "auth.expired", "message": "the login of the stream was refused"})
        if self._last is None:
            self._last = int(granted["user_seq"])
        elif int(granted["user_seq"]) != self._last:
            self._fetch_missed()

    def _begin(self, channels: List[Dict[str, str]]) -> List[Answer]:
        """Begins subscriptions, and returns and forgets the refused ones. Raises `OSError` without an answer."""
        while True:
            answer = self._ask("subscribe", {"channels": channels})
            if answer.get("key") != "common.tooMany":
                break
            # Longer than that: a socket of which every second frame is refused is cut.
            time.sleep(answer["params"]["retry_ms"] / 1000 + FRAME_S)
        self._waiting += [("snapshot", {"type": "ok", **begun}) for begun in answer["ok"]]
        refused: List[Answer] = answer["refused"]
        for refusal in refused:
            self._channels = [wanted for wanted in self._channels if not is_named(refusal, wanted)]
        return refused

    def _fetch_missed(self) -> None:
        last = asked = self._last or 0
        try:
            missed = self._exchange.read("/api/stream/since", user_seq=asked)["message"]
        except Refused as refused:
            # Not a refusal of the order whose answer is awaited: another connection reads them again.
            raise ConnectionResetError("missed events could not be read") from refused
        for one in missed["events"]:
            number = int(one["payload"]["user_seq"])
            if number > last:
                last = number
                self._waiting.append((one["event"], one["payload"]))
        if missed["complete"] != 1:
            self._waiting.append(("hole", None))
        now = int(missed["user_seq"])
        # An exchange that was set back counts from there: its next events are no repeats.
        self._last = now if missed["complete"] != 1 and now < asked else max(last, now)

    def _take(self, packet: str) -> None:
        if packet == "2":
            self._send("3")
        elif packet.startswith("41"):
            raise ConnectionResetError("the exchange has ended the session")
        elif packet.startswith("42"):
            event, payload = json.loads(packet[2:])
            if event == "heartbeat":
                return
            if event not in LIVE and isinstance(payload, dict) and "user_seq" in payload:
                self._private(event, payload)
            else:
                self._waiting.append((event, payload))

    def _private(self, event: str, payload: Any) -> None:
        number = int(payload["user_seq"])
        if self._last is None or number == self._last + 1:
            self._last = number
            self._waiting.append((event, payload))
        elif number > self._last + 1:
            self._fetch_missed()

    def _ask(self, event: str, payload: object) -> Answer:
        """Sends a request and returns its answer. Raises `OSError` when none comes in time."""
        self._requests += 1
        begin = f"43{self._requests}"
        self._send(f"42{self._requests}{json.dumps([event, payload])}")
        answer: Answer = json.loads(self._expect(f"{begin}[")[len(begin) :])[0]
        return answer

    def _expect(self, begin: str) -> str:
        """The next packet that begins so; those before it are handled. Raises `OSError` when none comes in time."""
        until = time.monotonic() + ATTEMPT_S
        try:
            while True:
                left_s = until - time.monotonic()
                if self._socket is None or left_s <= 0:
                    raise TimeoutError("the exchange did not answer")
                self._socket.settimeout(left_s)
                packet = self._packet()
                if packet.startswith(begin):
                    return packet
                self._take(packet)
        finally:
            if self._socket is not None:
                self._socket.settimeout(SILENCE_S)

    # Frames (RFC 6455).

    def _shake_hands(self) -> None:
        address = urllib.parse.urlsplit(self._exchange.url)
        host = address.hostname or ""
        port = address.port or (443 if address.scheme == "https" else 80)
        line = socket.create_connection((host, port), timeout=CONNECT_S)
        if address.scheme == "https":
            line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
        line.settimeout(SILENCE_S)
        self._socket, self._read = line, b""
        lines = [
            "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
            f"Host: {address.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, self._read = self._read.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise ConnectionRefusedError(f"no socket at {self._exchange.url}: {head.splitlines()[0]!r}")

    def _lose(self) -> None:
        if self._socket is not None and not self._closed:
            self._waiting.append(("lost", None))
        self._drop()

    def _drop(self) -> None:
        line, self._socket = self._socket, None
        if line is not None:
            line.close()

    def _more(self) -> None:
        line = self._socket
        if line is None:
            raise ConnectionResetError("the stream is closed")
        part = line.recv(65_536)
        if not part:
            raise ConnectionResetError("the line was cut")
        self._read += part

    def _bytes(self, count: int) -> bytes:
        while len(self._read) < count:
            self._more()
        part, self._read = self._read[:count], self._read[count:]
        return part

    def _packet(self) -> str:
        """The text of the next message; pings before it are answered."""
        text = b""
        while True:
            first, second = self._bytes(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self._bytes(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self._bytes(8))
            content, kind = self._bytes(size), first & 0x0F
            if kind == PING:
                self._frame(PONG, content)
            elif kind == CLOSE:
                raise ConnectionResetError("the exchange has closed the line")
            elif kind in (TEXT, CONTINUED):
                text += content
                if first & 0x80:
                    return text.decode()

    def _send(self, text: str) -> None:
        self._frame(TEXT, text.encode())

    def _frame(self, kind: int, content: bytes) -> None:
        size, mask = len(content), os.urandom(4)
        if size < 126:
            head = struct.pack(">BB", 0x80 | kind, 0x80 | size)
        elif size < 65_536:
            head = struct.pack(">BBH", 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, 0x80 | 127, size)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
        if self._socket is None:
            raise ConnectionResetError("the stream is closed")
        self._socket.sendall(head + mask + masked)


def is_named(names: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    """Whether an answer names this subscription."""
    return all(names[part] == wanted.get(part, "") for part in ("channel", "symbol", "interval"))

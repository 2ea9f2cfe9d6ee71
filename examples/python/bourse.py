"""A client of a Bourse exchange for programs: Python 3.9 or newer, the standard library alone.

How calls are signed and why orders are placed once is told in docs/api-keys.md.
"""

from __future__ import annotations

import email.utils
import hashlib
import hmac
import http.client
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

Amount = Union[str, int, Decimal]
Field = Amount
Answer = Dict[str, Any]

#: How long one attempt may take, and how long an outcome is queried: the exchange settles a command within 15 s.
ATTEMPT_S = 8.0
OUTCOME_S = 30.0
#: The exchange returns its time in whole seconds: only a larger difference of the clock is corrected.
CLOCK_OFF_S = 2.0
#: Refusals by token and gates, which the exchange keeps under no Idempotency-Key (docs/contract/api.md, api §6.8): they
#: do not say what became of an attempt whose answer was lost.
GATE_KEYS = (
    "apikey.signature",
    "auth.expired",
    "auth.frozen",
    "common.forbidden",
    "common.noPermission",
    "fund.mustReset",
    "fund.notSet",
    "kyc.required",
    "noopen",
    "pay.missing",
)


#: Parts of the paths of commands about orders, and commands about several orders.
MARKETS = {"coin": "spot", "transaction": "spot", "transaction_del": "spot", "lever": "lever"}
MASS = ("/api/coin/batch", "/api/coin/cancel", "/api/coin/cancel_all", "/api/lever/batch_close")


class Refused(Exception):
    """The exchange has refused, nothing was done. Programs test `key`; the text is for people."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(f"{body.get('key')}: {body.get('message')}")
        self.status = status
        self.type = str(body.get("type", "error"))
        self.key = str(body.get("key", ""))
        self.params: Mapping[str, Any] = body.get("params", {})


class NoAnswer(OSError):
    """What came is no answer of the exchange: a page of a proxy in between, a body that was cut, nothing. A command may
    have been carried out all the same."""


class Unknown(Exception):
    """No final answer came. The same call with the same key asks again and never acts twice."""

    def __init__(self, idempotency_key: str) -> None:
        super().__init__(f"the outcome of {idempotency_key} is not known")
        self.idempotency_key = idempotency_key


def sign(secret: str, method: str, path: str, timestamp: str, body: str = "") -> str:
    """Lower-case hex HMAC-SHA256 of method, path with query, unix ms and the hex SHA-256 of the body, by lines."""
    digest = hashlib.sha256(body.encode()).hexdigest()
    lines = "\n".join((method, path, timestamp, digest))
    return hmac.new(secret.encode(), lines.encode(), hashlib.sha256).hexdigest()


class _Claim:
    """The orders that a command is about."""

    def __init__(self, path: str, fields: Mapping[str, Field]) -> None:
        self.thread = threading.get_ident()
        self.market = MARKETS.get("".join(path.split("/")[2:3]))
        self.is_mass = path in MASS
        self.id, self.name = fields.get("id"), fields.get("client_order_id")
        quote, base = fields.get("legal_id"), fields.get("currency_id")
        #: None: it is not known, or the command is about all pairs.
        self.pair = None if quote is None or base is None else (str(quote), str(base))
        self.is_new = self.pair is not None and not self.is_mass

    def overlaps(self, other: _Claim) -> bool:
        """Whether two commands may be about the same order."""
        if self.market is None or self.market != other.market:
            return False
        if self.is_mass or other.is_mass:
            return None in (self.pair, other.pair) or self.pair == other.pair
        for one, another in ((self.id, other.id), (self.name, other.name)):
            if one is not None and another is not None:
                return str(one) == str(another)
        # One may name by its id what the other names by its client id.
        return not (self.is_new or other.is_new)


class Turns:
    """Commands about one order, one after another: a cancel would overtake an order that is sent again."""

    def __init__(self) -> None:
        self._open: List[_Claim] = []
        self._ended = threading.Condition()

    @contextmanager
    def turn(self, path: str, fields: Mapping[str, Field]) -> Iterator[None]:
        """Waits for the earlier commands of other threads that may be about the same order."""
        claim = _Claim(path, fields)
        try:
            with self._ended:
                # The handler of a signal interrupts a command of its own thread: that one cannot end before it.
                is_inside = any(one.thread == claim.thread for one in self._open)
                before = [one for one in self._open if not is_inside and one.overlaps(claim)]
                self._open.append(claim)
                self._ended.wait_for(lambda: not any(one in self._open for one in before))
            yield
        finally:
            with self._ended:
                if claim in self._open:
                    self._open.remove(claim)
                self._ended.notify_all()


class Orders:
    """Spot orders, each command carried out once. Prices and quantities are `Decimal` or text, never floats.

    All calls raise `Refused` (nothing was done) or `Unknown`. A command waits for the earlier ones of other threads
    that may be about the same order.
    """

    turns: Turns

    def command(self, method: str, path: str, idempotency_key: Optional[str] = None, **fields: Field) -> Answer:
        """Something that moves money or orders, carried out once.

        However often its answer is lost it is sent again under the same key, signed again. Keep the key with your order
        and pass it again after a crash. Raises `Refused` (nothing was done) or `Unknown`.

        A refusal for a rate, or as something is down, is tried again as long; one for a pause of the market is not.
        """
        key = idempotency_key or uuid.uuid4().hex
        with self.turns.turn(path, fields):
            return self._send_until_final(method, path, fields, key)

    def _send_until_final(self, method: str, path: str, fields: Mapping[str, Field], key: str) -> Answer:
        until = time.monotonic() + OUTCOME_S
        pause, was_lost = 0.25, False
        last: Exception
        while True:
            try:
                return self._try_command(method, path, fields, key)
            except Refused as refused:
                # A defect of the exchange (500) does not say what became of a command.
                undecided = refused.type == "pending" or refused.key == "common.repeated" or refused.status == 500
                if was_lost and (refused.status in (401, 403) or refused.key in GATE_KEYS):
                    raise Unknown(key) from refused
                was_lost = was_lost or undecided
                is_busy = refused.status in (429, 503) and (was_lost or refused.key != "market.paused")
                if not (undecided or is_busy):
                    raise
                last = refused
            except OSError as error:
                was_lost, last = True, error
            if time.monotonic() > until:
                if was_lost:
                    raise Unknown(key) from last
                raise last
            time.sleep(pause)
            pause = min(pause * 2, 2.0)

    def place(
        self,
        market: Mapping[str, Any],
        side: str,
        amount: Amount,
        price: Optional[Amount] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """A limit order, or a market order without a price. `side` is `buy` or `sell`. Answers the order.

        Raises `ValueError` for another side, before anything is sent: it would be an order of the other one.
        """
        fields: Dict[str, Field] = {
            "legal_id": market["legal_id"],
            "currency_id": market["currency_id"],
            "type": _type_of(side),
            "amount": amount,
            "order_type": "market" if price is None else "limit",
        }
        if price is not None:
            fields["target_price"] = price
        order: Answer = self.command("POST", "/api/coin/trade", idempotency_key, **fields)["order"]
        return order

    def amend(
        self,
        order_id: str,
        price: Optional[Amount] = None,
        amount: Optional[Amount] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Changes price or amount of an own open order in place; the amount includes the filled part. Answers it."""
        fields: Dict[str, Field] = {"id": order_id}
        if price is not None:
            fields["target_price"] = price
        if amount is not None:
            fields["amount"] = amount
        order: Answer = self.command("PUT", "/api/coin/order", idempotency_key, **fields)["order"]
        return order

    def cancel(self, order_id: str, idempotency_key: Optional[str] = None) -> Answer:
        """Ends an own open order. Answers it as it is then."""
        order: Answer = self.command("PUT", "/api/coin/trade", idempotency_key, id=order_id)["order"]
        return order

    def cancel_all(
        self,
        market: Optional[Mapping[str, Any]] = None,
        side: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> List[str]:
        """Ends all own open orders, or those of a pair or side. Answers the ids of those that this call has ended.

        Raises `ValueError` for another side than `buy` and `sell`, before anything is sent.
        """
        fields: Dict[str, Field] = {}
        if market is not None:
            fields.update(legal_id=market["legal_id"], currency_id=market["currency_id"])
        if side is not None:
            fields["type"] = _type_of(side)
        ids: List[str] = self.command("POST", "/api/coin/cancel_all", idempotency_key, **fields)["ids"]
        return ids

    def _try_command(self, method: str, path: str, fields: Mapping[str, Field], key: str) -> Answer:
        """Sends a command once. Raises `Refused`; `OSError` when no answer comes."""
        raise NotImplementedError


class Bourse(Orders):
    """Calls of one exchange. Prices, quantities and balances are `Decimal` or text, never floats."""

    def __init__(self, url: str, key: Optional[str] = None, secret: Optional[str] = None) -> None:
        self.url = url.rstrip("/")
        self.key = key
        self.secret = secret
        #: Those of its streams, too.
        self.turns = Turns()
        #: How far the exchange's clock is ahead of ours.
        self.ahead_s = 0.0

    def read(self, path: str, **fields: Field) -> Answer:
        """A GET. Raises `Refused`; `OSError` when no answer comes."""
        query = _encoded(fields)
        return self._send("GET", f"{path}?{query}" if query else path)

    def post(self, path: str, **fields: Field) -> Answer:
        """A read that the contract has as POST. Raises as `read`."""
        return self._send("POST", path, _encoded(fields))

    def markets(self) -> Dict[str, Answer]:
        """All pairs by their symbols, with scales, limits and fees."""
        groups: List[Answer] = self.read("/api/quotation_new")["message"]
        return {item["symbol"]: item for group in groups for item in group["quotation"]}

    def best(self, market: Mapping[str, Any]) -> Tuple[Optional[Decimal], Optional[Decimal]]:
        """Best bid and best ask of a pair; None where that side is empty."""
        book = self.post(
            "/api/transaction/deal", legal_id=market["legal_id"], currency_id=market["currency_id"], depth=8
        )["message"]
        bid, ask = (Decimal(side[0]["price"]) if side else None for side in (book["in"], book["out"]))
        return bid, ask

    def balances(self) -> Dict[str, Tuple[Decimal, Decimal]]:
        """Free and held amounts of the spot account that are not zero."""
        rows: List[Answer] = self.read("/api/wallet/list")["message"]["change_wallet"]["balance"]
        found = {
            row["currency_name"]: (Decimal(row["change_balance"]), Decimal(row["lock_change_balance"])) for row in rows
        }
        return {name: both for name, both in found.items() if any(both)}

    def open_orders(self) -> List[Answer]:
        """Own open orders, newest first, at most 100."""
        orders: List[Answer] = self.read("/api/coin/list", status=1, limit=100)["message"]["data"]
        return orders

    def sync_clock(self) -> float:
        """Learns how far the exchange's clock is ahead: a signature is good for 5 s around its real time. Seconds."""
        sent = time.time()
        with urllib.request.urlopen(f"{self.url}/api/time", timeout=ATTEMPT_S) as response:
            told = email.utils.parsedate_to_datetime(response.headers["Date"]).timestamp()
        ahead = told + 0.5 - (sent + time.time()) / 2
        self.ahead_s = ahead if abs(ahead) > CLOCK_OFF_S else 0.0
        return self.ahead_s

    def signing_again(self, refused: Refused, ahead_s: float) -> bool:
        """Whether a call that was signed with this correction of the clock, and refused, may be accepted with another.

        Reads the exchange's clock if the signature was wrong: nothing was done then.
        """
        return refused.key == "apikey.signature" and abs(self.sync_clock() - ahead_s) >= CLOCK_OFF_S

    def _try_command(self, method: str, path: str, fields: Mapping[str, Field], key: str) -> Answer:
        return self._send(method, path, _encoded(fields), {"Idempotency-Key": key})

    def _send(
        self, method: str, path: str, body: Optional[str] = None, headers: Optional[Mapping[str, str]] = None
    ) -> Answer:
        """One call. Raises `Refused`; `OSError` when what came is no answer. A clock that is off is corrected once."""
        before = self.ahead_s
        try:
            return self._attempt(method, path, body, headers)
        except Refused as refused:
            if not self.signing_again(refused, before):
                raise
        return self._attempt(method, path, body, headers)

    def _attempt(
        self, method: str, path: str, body: Optional[str] = None, headers: Optional[Mapping[str, str]] = None
    ) -> Answer:
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else body.encode(),
            headers={**(headers or {}), **self.signature(method, path, body or "")},
        )
        if body is not None:
            request.add_header("Content-Type", "application/x-www-form-urlencoded")
        try:
            try:
                with urllib.request.urlopen(request, timeout=ATTEMPT_S) as response:
                    status, text = response.status, response.read()
            except urllib.error.HTTPError as error:
                with error:
                    status, text = error.code, error.read()
        except http.client.HTTPException as error:
            raise NoAnswer(f"{method} {path}: {error!r}") from error
        try:
            answer: Answer = json.loads(text)
        except ValueError as error:
            raise NoAnswer(f"{method} {path}: status {status}, no JSON") from error
        kind = answer.get("type") if isinstance(answer, dict) else None
        if kind == "ok":
            return answer
        if kind is None or "key" not in answer:
            raise NoAnswer(f"{method} {path}: status {status}, not of the exchange")
        raise Refused(status, answer)

    def signature(self, method: str, path: str, body: str = "") -> Dict[str, str]:
        """The headers that sign a call; none without a key."""
        if self.key is None or self.secret is None:
            return {}
        timestamp = str(int((time.time() + self.ahead_s) * 1_000))
        return {
            "X-Api-Key": self.key,
            "X-Api-Timestamp": timestamp,
            "X-Api-Signature": sign(self.secret, method, path, timestamp, body),
        }


def texts_of(fields: Mapping[str, Field]) -> Dict[str, str]:
    """Fields as they are sent. A `Decimal` goes out without an exponent. Raises `TypeError` for a float."""
    for name, value in fields.items():
        if isinstance(value, float):
            raise TypeError(f"{name} is a float, which has no exact value: give a Decimal or text")
    return {name: format(value, "f") if isinstance(value, Decimal) else str(value) for name, value in fields.items()}


def _encoded(fields: Mapping[str, Field]) -> str:
    return urllib.parse.urlencode(texts_of(fields))


def _type_of(side: str) -> int:
    if side not in ("buy", "sell"):
        raise ValueError(f"an order has no side {side!r}")
    return 1 if side == "buy" else 2

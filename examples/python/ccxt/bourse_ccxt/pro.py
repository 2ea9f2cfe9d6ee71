"""Bourse for ccxt with live streams: the calls of `bourse_ccxt.async_support`, and `watch_…` and orders over the socket
as in `ccxt.pro`.

The messages are Socket.IO 5 over Engine.IO 4 in a WebSocket. A connection that is lost fails all waiting calls with
`NetworkError`; the next `watch_…` connects and subscribes again. After that, read orders, trades and balances once:
their messages of the time between are not repeated.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import zlib

from bourse_ccxt.async_support import bourse as plain
from ccxt.async_support.base.ws.cache import ArrayCache, ArrayCacheBySymbolById, ArrayCacheByTimestamp
from ccxt.async_support.base.ws.future import Future
from ccxt.base.errors import (
    AuthenticationError,
    BadRequest,
    ExchangeError,
    NetworkError,
    NotSupported,
    RequestTimeout,
    UnsubscribeError,
)

#: Levels of each side that a checksum covers.
CHECKED_LEVELS = 20
#: Events of the market, each with its channel and the method that handles it.
CHANNELS = {
    "daymarket": ("daymarket", "handle_ticker"),
    "match_trade": ("trades", "handle_trade"),
    "kline": ("kline", "handle_candle"),
    "market_depth": ("depth", "handle_depth"),
}
#: The most subscriptions in one frame, and the least time between two frames: the exchange takes ten a second.
CHANNELS_MAX = 50
FRAME_S = 0.1
#: How long a frame waits for its answer. An order is then sent again under its key.
ANSWER_S = 8
#: How long a connection may take until it is signed in.
CONNECT_S = 20
#: The account whose balances ccxt's spot calls show.
SPOT_ACCOUNT = "change"


class bourse(plain):
    def describe(self):
        watched = ["Balance", "MyTrades", "OHLCV", "OrderBook", "Orders", "Ticker", "Tickers", "Trades"]
        ordered = ["createOrder", "editOrder", "cancelOrder", "cancelAllOrders"]
        unwatched = ["OHLCV", "OrderBook", "Ticker", "Trades"]
        return self.deep_extend(
            super().describe(),
            {
                "pro": True,
                "has": {
                    "ws": True,
                    **{f"watch{name}": True for name in watched},
                    **{f"unWatch{name}": True for name in unwatched},
                    **{f"{name}Ws": True for name in ordered},
                },
            },
        )

    # Calls.

    async def watch_ticker(self, symbol, params={}):
        """The quotation of a pair, each time it changes."""
        return await self.watch_market("daymarket", symbol)

    async def watch_tickers(self, symbols=None, params={}):
        """The quotation that changes first among those of these pairs, by symbol; all pairs without symbols."""
        client = await self.connected()
        names = [self.join(client, "daymarket", symbol) for symbol in (symbols or self.symbols)]
        ticker = await Future.race([client.future(name) for name in names])
        return {ticker["symbol"]: ticker}

    async def watch_order_book(self, symbol, limit=None, params={}):
        """The book of a pair after each change. Its checksum was right."""
        book = await self.watch_market("depth", symbol)
        return book if limit is None else {**book, "bids": book["bids"][:limit], "asks": book["asks"][:limit]}

    async def watch_trades(self, symbol, since=None, limit=None, params={}):
        """The trades of a pair since the call before."""
        trades = await self.watch_market("trades", symbol)
        if self.newUpdates:
            limit = trades.getLimit(self.symbol(symbol), limit)
        return self.filter_by_since_limit(trades, since, limit, "timestamp", True)

    async def watch_ohlcv(self, symbol, timeframe="1m", since=None, limit=None, params={}):
        """The candle in progress, and those that ended since the call before."""
        candles = await self.watch_market("kline", symbol, self.period_of(timeframe))
        if self.newUpdates:
            limit = candles.getLimit(self.symbol(symbol), limit)
        return self.filter_by_since_limit(candles, since, limit, 0, True)

    async def watch_orders(self, symbol=None, since=None, limit=None, params={}):
        """The own orders that have changed since the call before."""
        return await self.watch_own("orders", symbol, since, limit)

    async def watch_my_trades(self, symbol=None, since=None, limit=None, params={}):
        """The own fills since the call before."""
        return await self.watch_own("fills", symbol, since, limit)

    async def watch_balance(self, params={}):
        """All balances of the spot account, whenever one of them changes."""
        self.check_params("watchBalance", params, ["type"])
        if params.get("type", "spot") not in ("spot", SPOT_ACCOUNT):
            raise NotSupported(f"{self.id} watches the balances of the spot account alone")
        client = await self.signed_in()
        future = client.future("balance")
        if client.balance_read is None:
            client.balance_read = asyncio.ensure_future(self.read_balance(client))
        # The read is that of all callers: one that is cancelled does not end it.
        await asyncio.shield(client.balance_read)
        return await future

    async def read_balance(self, client):
        """Reads the balances that messages change from then on. After a failure the next call reads again."""
        client.changed_balances = {}
        try:
            read = await self.fetch_balance()
        except BaseException:
            client.balance_read = None
            raise
        if not self.is_current(client):
            # The balances are those of a later connection, or of none.
            raise NetworkError(f"{self.id} lost the connection while it read the balances")
        self.balance = {"info": read["info"]}
        for code, free in read["free"].items():
            used = read["used"][code]
            self.balance[code] = {"free": self.number_to_string(free), "used": self.number_to_string(used)}
        self.balance.update(client.changed_balances)

    async def un_watch_ticker(self, symbol, params={}):
        return await self.unsubscribe("daymarket", symbol)

    async def un_watch_order_book(self, symbol, params={}):
        return await self.unsubscribe("depth", symbol)

    async def un_watch_trades(self, symbol, params={}):
        return await self.unsubscribe("trades", symbol)

    async def un_watch_ohlcv(self, symbol, timeframe="1m", params={}):
        return await self.unsubscribe("kline", symbol, self.period_of(timeframe))

    # Orders over the socket: the checks, errors and keys of the calls.

    async def create_order_ws(self, symbol, type, side, amount, price=None, params={}):
        return await self.place("socket_order_place", symbol, type, side, amount, price, params)

    async def edit_order_ws(self, id, symbol, type, side, amount=None, price=None, params={}):
        return await self.amend("socket_order_amend", id, symbol, type, amount, price, params)

    async def cancel_order_ws(self, id, symbol=None, params={}):
        return await self.cancel("socket_order_cancel", id, symbol, params)

    async def cancel_all_orders_ws(self, symbol=None, params={}):
        return await self.cancel_all("socket_order_cancel_all", symbol, params)

    async def socket_order_place(self, command):
        return await self.ask("order.place", command)

    async def socket_order_amend(self, command):
        return await self.ask("order.amend", command)

    async def socket_order_cancel(self, command):
        return await self.ask("order.cancel", command)

    async def socket_order_cancel_all(self, command):
        return await self.ask("order.cancelAll", command)

    async def ask(self, message, command):
        """Sends a message of the socket once. Returns its answer, or fails as the call of the same name does."""
        client = await self.signed_in()
        fields = {name: str(value) for name, value in command.items() if name != "idempotencyKey"}
        name = f"answer {client.requests + 1}"
        future = client.future(name)
        frame = {"key": command["idempotencyKey"], "params": fields}
        resolve, reject = (lambda answer: client.resolve(answer, name)), (lambda error: client.reject(error, name))
        self.emit_asking(client, message, frame, resolve, reject)
        ack = await future
        answer = ack.get("answer", ack)
        self.handle_errors(ack.get("status", 400), "", message, "SOCKET", {}, self.json(answer), answer, {}, None)
        return answer

    # Subscriptions.

    def period_of(self, timeframe):
        period = self.safe_string(self.timeframes, timeframe)
        if period is None:
            raise BadRequest(f"{self.id} has no candles of {timeframe}")
        return period

    async def watch_market(self, channel, symbol, period=None):
        client = await self.connected()
        return await client.future(self.join(client, channel, symbol, period))

    def join(self, client, channel, symbol, period=None):
        """Subscribes to a stream, once for each connection. Returns its name."""
        market_id = self.market(symbol)["id"]
        name = stream_name(channel, market_id, period)
        if name not in client.subscriptions:
            client.subscriptions[name] = wish(channel, market_id, period)
            self.ask_for(client, "subscribe", name, client.subscriptions[name])
        return name

    async def watch_own(self, name, symbol, since, limit):
        client = await self.signed_in()
        if symbol is not None:
            symbol = self.symbol(symbol)
        rows = await client.future(name if symbol is None else f"{name} {symbol}")
        if self.newUpdates:
            limit = rows.getLimit(symbol, limit)
        return self.filter_by_symbol_since_limit(rows, symbol, since, limit, True)

    async def unsubscribe(self, channel, symbol, period=None):
        client = await self.connected()
        market_id = self.market(symbol)["id"]
        name = stream_name(channel, market_id, period)
        wanted = client.subscriptions.pop(name, None)
        if wanted is not None:
            self.ask_for(client, "unsubscribe", name, wanted)
            client.books.pop(market_id, None)
            if name in client.futures:
                client.reject(UnsubscribeError(f"{self.id} {name} is watched no more"), name)

    def ask_for(self, client, event, name, wanted):
        """Subscribes to a stream or ends it, with the next frame: of a stream the last wish counts."""
        client.wishes.pop(name, None)
        client.wishes[name] = (event, wanted)
        if not client.is_asking:
            client.is_asking = True
            # Wishes of one turn of the loop have a frame in common.
            self.asyncio_loop.call_soon(self.send_wishes, client)

    def send_wishes(self, client):
        """Sends one frame: subscriptions together, the end of a stream alone. The next one waits for its answer."""
        client.is_asking = bool(client.wishes) and self.is_current(client)
        if not client.is_asking:
            return
        event = next(iter(client.wishes.values()))[0]
        names = [name for name, wish in client.wishes.items() if wish[0] == event]
        sent = {name: client.wishes.pop(name) for name in names[: CHANNELS_MAX if event == "subscribe" else 1]}
        channels = [wanted for _, wanted in sent.values()]

        def answered(answer):
            retry_ms = answer.get("params", {}).get("retry_ms") if answer.get("key") == "common.tooMany" else None
            if retry_ms is not None:
                # Nothing of the frame was done.
                client.wishes = {**sent, **client.wishes}
            elif event == "subscribe":
                self.settle(client, sent, answer)
            self.asyncio_loop.call_later(max(FRAME_S, (retry_ms or 0) / 1000), self.send_wishes, client)

        def unanswered(error):
            for name in sent if event == "subscribe" else ():
                # The next call subscribes again.
                if client.subscriptions.pop(name, None) is not None:
                    client.reject(error, name)
            self.send_wishes(client)

        payload = {"channels": channels} if event == "subscribe" else channels[0]
        self.emit_asking(client, event, payload, answered, unanswered)

    def settle(self, client, sent, answer):
        """Begins the books of a frame of subscriptions, and fails those who watch what was refused."""
        for begun in answer.get("ok", []):
            name = stream_name(begun["channel"], begun["symbol"], begun.get("interval"))
            if begun["channel"] == "depth" and begun.get("snapshot") and name in client.subscriptions:
                self.handle_depth(client, name, begun["snapshot"])
        refusals = [{**wanted, "key": answer["key"]} for _, wanted in sent.values()] if "key" in answer else []
        for refusal in answer.get("refused", refusals):
            name = stream_name(refusal["channel"], refusal["symbol"], refusal.get("interval"))
            if client.subscriptions.pop(name, None) is not None:
                client.reject(self.error_of(refusal), name)

    def error_of(self, answer):
        kind = self.exceptions["exact"].get(answer.get("key"), ExchangeError)
        return kind(f"{self.id} {json.dumps(answer)}")

    # The connection.

    async def connected(self):
        """The client of the socket, connected and with an API key signed in."""
        await self.load_markets()
        address = self.implode_hostname(self.urls["api"]["public"])
        url = address.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket"
        client = self.client(url)
        if not hasattr(client, "acknowledged"):
            client.acknowledged, client.requests = {}, 0
            client.wishes, client.is_asking = {}, False
            client.books, client.user_seq = {}, None
            client.balance_read, client.changed_balances = None, {}
            client.is_ready = False
            asyncio.get_running_loop().call_later(CONNECT_S, self.give_up, client)
        if not client.is_ready:
            await self.watch(url, "ready", None, "ready")
        return client

    async def signed_in(self):
        self.check_required_credentials()
        return await self.connected()

    def is_current(self, client):
        return self.clients.get(client.url) is client

    def give_up(self, client):
        """Ends a connection that was not signed in in time."""
        if self.is_current(client) and not client.is_ready:
            client.on_error(RequestTimeout(f"{self.id} was not connected in {CONNECT_S} s"))

    def on_close(self, client, error):
        self.forget(client)
        super().on_close(client, error)

    def on_error(self, client, error):
        self.forget(client)
        super().on_error(client, error)

    def forget(self, client):
        """Drops what only this connection keeps current; a later one has its own."""
        if self.clients.get(client.url, client) is not client:
            return
        self.orders = self.myTrades = None
        self.balance = {}
        self.trades, self.ohlcvs = {}, {}

    def send(self, client, text):
        async def sending():
            try:
                await client.send(text)
            except Exception as error:  # the connection has ended
                client.on_error(NetworkError(f"{self.id} {error}"))

        asyncio.ensure_future(sending())

    def emit(self, client, event, payload, answered=None):
        if answered is None:
            number = ""
        else:
            client.requests += 1
            number = client.requests
            client.acknowledged[number] = answered
        self.send(client, f"42{number}{json.dumps([event, payload])}")
        return number

    def emit_asking(self, client, event, payload, answered, unanswered):
        """Sends a frame. `unanswered` gets a `RequestTimeout` if no answer comes in time; a later one is dropped."""

        def settle(answer):
            if not timer.cancelled():
                timer.cancel()
                answered(answer)

        def give_up():
            timer.cancel()
            if self.is_current(client):
                client.acknowledged.pop(number, None)
                unanswered(RequestTimeout(f"{self.id} {event} has no answer"))

        number = self.emit(client, event, payload, settle)
        timer = asyncio.get_running_loop().call_later(ANSWER_S, give_up)

    def handle_message(self, client, message):
        if not isinstance(message, str):
            return
        if message == "2":
            self.send(client, "3")
        elif message.startswith("0"):
            self.send(client, "40" + json.dumps(self.handshake()))
        elif message.startswith("40"):
            self.sign_in(client)
        elif message.startswith("41"):
            client.on_error(NetworkError(f"{self.id} has ended the session"))
        elif message.startswith("43"):
            number, _, rest = message[2:].partition("[")
            answered = client.acknowledged.pop(int(number), None)
            if answered is not None:
                answered(json.loads("[" + rest)[0])
        elif message.startswith("44"):
            refusal = json.loads(message[2:])
            client.on_error(self.error_of({"key": refusal.get("message"), **(refusal.get("data") or {})}))
        elif message.startswith("42"):
            event, payload = json.loads(message[2:])[:2]
            self.handle_event(client, event, payload)

    def handshake(self):
        if not (self.apiKey and self.secret):
            return {"lang": "en"}
        timestamp = str(self.nonce())
        lines = "\n".join(["GET", "/socket.io", timestamp, self.hash(self.encode(""), "sha256", "hex")])
        signature = self.hmac(self.encode(lines), self.encode(self.secret), hashlib.sha256, "hex")
        return {"key": self.apiKey, "timestamp": timestamp, "signature": signature, "lang": "en"}

    def sign_in(self, client):
        def ready(answer):
            if answer.get("type") != "ok":
                client.on_error(AuthenticationError(f"{self.id} does not take the API key"))
                return
            client.user_seq = answer.get("user_seq")
            client.is_ready = True
            client.resolve(True, "ready")

        if self.apiKey and self.secret:
            self.emit(client, "login", self.apiKey, ready)
        else:
            ready({"type": "ok"})

    # Events.

    def handle_event(self, client, event, payload):
        if event == "session_closed":
            client.on_error(AuthenticationError(f"{self.id} the stream was closed: {payload.get('reason')}"))
        elif event in CHANNELS:
            # A socket without subscriptions gets all pairs, throttled: only what was asked for counts.
            channel, handler = CHANNELS[event]
            name = stream_name(channel, payload["symbol"], payload.get("period"))
            if name in client.subscriptions:
                getattr(self, handler)(client, name, payload)
        elif isinstance(payload, dict) and event != "heartbeat" and self.is_next(client, payload):
            if event == "order_update":
                self.handle_order(client, payload)
            elif event == "balance_update":
                self.handle_balances(client, payload)

    def kept(self, option):
        return self.safe_integer(self.options, option, 1000)

    def is_next(self, client, payload):
        """Whether a private event is the next one; one that was had is dropped, a gap ends the connection."""
        number = payload.get("user_seq")
        if number is None or client.user_seq is None or number <= client.user_seq:
            return False
        if number > client.user_seq + 1:
            client.on_error(NetworkError(f"{self.id} has missed messages: read orders, trades and balances again"))
            return False
        client.user_seq = number
        return True

    def handle_ticker(self, client, name, payload):
        ticker = self.parse_ticker(payload)
        self.tickers[ticker["symbol"]] = ticker
        client.resolve(ticker, name)

    def handle_trade(self, client, name, payload):
        trade = self.parse_trade(payload)
        cache = self.trades.setdefault(trade["symbol"], ArrayCache(self.kept("tradesLimit")))
        cache.append(trade)
        client.resolve(cache, name)

    def handle_candle(self, client, name, payload):
        symbol = self.safe_symbol(payload["symbol"])
        by_period = self.ohlcvs.setdefault(symbol, {})
        cache = by_period.setdefault(payload["period"], ArrayCacheByTimestamp(self.kept("OHLCVLimit")))
        cache.append(self.parse_ohlcv(payload))
        client.resolve(cache, name)

    def handle_depth(self, client, name, payload):
        market_id, kind = payload["symbol"], payload["kind"]
        if kind == "snapshot":
            client.books[market_id] = {"bids": {}, "asks": {}}
        book = client.books.get(market_id)
        if book is None or kind == "full":
            return
        is_next = kind == "snapshot" or payload["prev_seq"] == book["seq"]
        for side, levels in (("bids", payload["b"]), ("asks", payload["a"])):
            for price, amount in zip(levels[::2], levels[1::2]):
                if amount == "0":
                    book[side].pop(price, None)
                else:
                    book[side][price] = amount
        book["seq"] = payload["seq"]
        bids = sorted(book["bids"].items(), key=lambda level: float(level[0]), reverse=True)
        asks = sorted(book["asks"].items(), key=lambda level: float(level[0]))
        if not is_next or checksum(bids, asks) != payload["checksum"]:
            # Without its stream a book is worth nothing: the next snapshot starts it over.
            del client.books[market_id]
            self.ask_for(client, "subscribe", name, client.subscriptions[name])
            return
        symbol, numbers = self.safe_symbol(market_id), self.parse_number
        self.orderbooks[symbol] = {
            "symbol": symbol,
            "bids": [[numbers(price), numbers(amount)] for price, amount in bids],
            "asks": [[numbers(price), numbers(amount)] for price, amount in asks],
            "timestamp": payload["ts"],
            "datetime": self.iso8601(payload["ts"]),
            "nonce": payload["seq"],
        }
        client.resolve(self.orderbooks[symbol], name)

    def handle_order(self, client, payload):
        self.orders = self.orders or ArrayCacheBySymbolById(self.kept("ordersLimit"))
        self.publish_own(client, "orders", self.orders, self.parse_order(payload["order"]))
        if payload.get("fill"):
            self.myTrades = self.myTrades or ArrayCacheBySymbolById(self.kept("tradesLimit"))
            self.publish_own(client, "fills", self.myTrades, self.parse_trade(payload["fill"]))

    def publish_own(self, client, name, rows, row):
        rows.append(row)
        client.resolve(rows, name)
        client.resolve(rows, f"{name} {row['symbol']}")

    def handle_balances(self, client, payload):
        changed = {
            self.safe_currency_code(line["currency_name"]): {"free": line["balance"], "used": line["lock_balance"]}
            for line in payload["balances"]
            if line["account"] == SPOT_ACCOUNT
        }
        client.changed_balances.update(changed)
        if changed and "info" in self.balance:
            self.balance.update(changed)
            self.balance["info"] = payload
            client.resolve(self.safe_balance(self.balance), "balance")


def stream_name(channel, market_id, period=None):
    return " ".join(filter(None, (channel, market_id, period)))


def wish(channel, market_id, period):
    return {"channel": channel, "symbol": market_id, **({} if period is None else {"interval": period})}


def checksum(bids, asks):
    """CRC-32 of the best levels: bid 1 price, bid 1 number, ask 1 price, ask 1 number, bid 2 …, texts as sent."""
    texts = []
    for at in range(CHECKED_LEVELS):
        for side in (bids, asks):
            if at < len(side):
                texts.extend(side[at])
    return zlib.crc32(":".join(texts).encode())

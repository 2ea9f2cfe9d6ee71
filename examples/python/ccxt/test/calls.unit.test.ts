import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';

jest.setTimeout(60_000);

/* The classes of ccxt for Python on a base that has of ccxt only what they use here; the real one runs in ops tests. */

const BASE = `
import asyncio, json, sys, traceback, types

class Module(types.ModuleType):
    def __getattr__(self, name):
        made = type(name, (Exception,), {})
        setattr(self, name, made)
        return made

errors, base = Module("ccxt.base.errors"), Module("base")
class NetworkError(Exception): pass
class RequestTimeout(NetworkError): pass
class RateLimitExceeded(NetworkError): pass
for kind in (NetworkError, RequestTimeout, RateLimitExceeded):
    setattr(errors, kind.__name__, kind)
class Exchange:
    id, options = "bourse", {"outcomeMs": 600}
    def safe_value(self, one, name, otherwise=None):
        return otherwise if one.get(name) in (None, "") else one[name]
    def safe_string(self, one, name, otherwise=None):
        return otherwise if one.get(name) in (None, "") else str(one[name])
    def safe_string_n(self, one, names, otherwise=None):
        return next((str(one[name]) for name in names if one.get(name) not in (None, "")), otherwise)
    def safe_string_upper(self, one, name): return (self.safe_string(one, name) or "").upper() or None
    def safe_bool(self, one, name, otherwise=None):
        return one[name] if isinstance(one.get(name), bool) else otherwise
    def amount_to_precision(self, symbol, amount): return str(amount)
    def price_to_precision(self, symbol, price): return str(price)
    def safe_integer(self, one, name, otherwise=None): return one.get(name, otherwise)
    def uuid(self): return "key-of-mine"
    def extend(self, *all): return {name: value for one in all for name, value in one.items()}
    def milliseconds(self): return int(asyncio.get_running_loop().time() * 1000)
    async def sleep(self, ms): await asyncio.sleep(ms / 1000)
    def exception_message(self, error): return "".join(traceback.format_exception(type(error), error, None))
    def number_to_string(self, number): return str(number)
    def safe_dict(self, one, name, otherwise=None): return one.get(name, otherwise)
    def safe_list(self, one, name, otherwise=None): return one.get(name, otherwise)
    def safe_currency_code(self, name): return name
    def safe_balance(self, balance): return balance
    def account(self): return {}
    def sum(self, *all): return sum(all)
    def omit(self, one, names): return {name: value for name, value in one.items() if name not in names}
    def array_concat(self, one, other): return one + other
    def json(self, one): return json.dumps(one)
    async def load_markets(self): pass
    def market(self, symbol): return {"quoteId": 3, "baseId": 1}
base.Exchange = Exchange
sys.modules["ccxt.base.errors"] = errors
for name in ("base.precise", "base.types", "base.exchange", "async_support.base.exchange"):
    sys.modules["ccxt." + name] = base
for name in ("cache", "future"):
    sys.modules["ccxt.async_support.base.ws." + name] = base
from bourse_ccxt.pro import bourse
`;

async function run(program: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('python3', ['-B', '-W', 'error', '-c', BASE + program], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    timeout: 40_000,
  });
  expect(stderr).toBe('');
  return stdout;
}

test('balances whose read has failed are read again, by all waiting calls once [CLIENT-053]', async () => {
  const output = await run(`
reads = 0
class Client:
    url, balance_read, changed_balances, futures = "ws", None, {}, {}
    def future(self, name): return self.futures.setdefault(name, asyncio.get_running_loop().create_future())
class Watched(bourse):
    client = Client()
    clients = {"ws": client}
    async def signed_in(self): return self.client
    async def fetch_balance(self):
        global reads
        reads += 1
        await asyncio.sleep(0.01)
        if reads == 1: raise NetworkError("lost")
        return {"info": {}, "free": {"BTC": 1}, "used": {"BTC": 2}}
async def main():
    exchange = Watched()
    def watch(): return asyncio.ensure_future(exchange.watch_balance())
    for failed in await asyncio.gather(watch(), watch(), return_exceptions=True):
        print(repr(failed))
    calls = [watch(), watch(), watch()]
    await asyncio.sleep(0)
    calls[0].cancel()
    await asyncio.sleep(0.1)
    exchange.client.futures["balance"].set_result(exchange.balance["BTC"])
    print(await asyncio.gather(*calls[1:]), reads)
asyncio.run(asyncio.wait_for(main(), 5))
`);
  const balance = "{'free': '1', 'used': '2'}";
  expect(output).toBe(`NetworkError('lost')\nNetworkError('lost')\n[${balance}, ${balance}] 2\n`);
});

test('after a lost answer a refusal of a gate or of busy leaves the outcome unknown [CLIENT-052]', async () => {
  const output = await run(`
class Ordered(bourse):
    async def order(self, command):
        next = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        raise next
async def main():
    exchange = Ordered()
    lost = RequestTimeout("lost")
    def refused(kind, key): return kind('bourse {"type":"error","key":"' + key + '"}')
    refusals = [refused(errors.PermissionDenied, key) for key in ("auth.frozen", "kyc.required", "market.paused")]
    refusals.append(refused(errors.AuthenticationError, "apikey.signature"))
    refusals.append(refused(RateLimitExceeded, "common.tooMany"))
    for refusal in refusals:
        for answers in ([refusal], [lost, refusal]):
            exchange.answers = answers
            try:
                await exchange.once("order", {}, {})
            except Exception as error:
                print(type(error).__name__, end=" ")
    print()
asyncio.run(asyncio.wait_for(main(), 30))
`);
  expect(output.trim().split(' ')).toEqual([
    ...Array.from({ length: 3 }, () => ['PermissionDenied', 'RequestTimeout']).flat(),
    ...['AuthenticationError', 'RequestTimeout', 'RateLimitExceeded', 'RequestTimeout'],
  ]);
});

test('the conditions of an order are sent as they were given, or the order is refused [CLIENT-078]', async () => {
  const output = await run(`
class Sent(bourse):
    def parse_order(self, order, market=None): return order
    async def privatePostCoinTrade(self, command):
        return {"order": {name: value for name, value in command.items() if name in SHOWN}}
SHOWN = ("post_only", "time_in_force", "stop_price", "trigger_by", "order_type", "activation_price")
STOPS = ("triggerPrice", "stopPrice", "stopLossPrice")
async def show(type, **params):
    try:
        order = await Sent().create_order("BTC/USDT", type, "buy", 1, 100, params)
        print(" ".join(f"{name}={value}" for name, value in order.items()))
    except Exception as error:
        print(type_of(error), error)
type_of = lambda error: type(error).__name__
async def main():
    for post_only in (1, 0, "true", "false", "", None, True, False):
        await show("limit", postOnly=post_only)
    for time_in_force in ("IOC", "GTC", "PO"):
        for post_only in (True, False):
            await show("limit", postOnly=post_only, timeInForce=time_in_force)
    await show("limit", timeInForce="FOK")
    await show("limit", timeInForce="PO")
    for one, other in zip(STOPS, STOPS[1:]):
        await show("limit", **{one: 101, other: 102})
    for one in STOPS:
        await show("limit", **{one: 101})
        await show("market", **{one: None})
    await show("limit", triggerPrice=101, stopPrice=None)
    for kind in ("mark", "index", "last", "bid"):
        await show("limit", triggerPrice=101, triggerPriceType=kind)
    await show("limit", triggerPriceType="mark")
    await show("market", trailingPercent=1, trailingTriggerPrice=120)
    await show("market", trailingPercent=1, trailingTriggerPrice=None)
    await show("market", trailingPercent=1, trailingAmount="")
    for name in ("clientOrderId", "stp", "timeInForce", "idempotencyKey"):
        await show("limit", **{name: ""})
asyncio.run(main())
`);
  const noFlag = 'BadRequest bourse takes postOnly as true or false';
  const oneStop = 'InvalidOrder bourse takes one of triggerPrice, stopPrice, stopLossPrice';
  const emptied = (name: string): string => `BadRequest bourse createOrder() takes no empty ${name}`;
  const needs = (name: string): string => `ArgumentsRequired bourse needs a value of ${name}`;
  expect(output.trim().split('\n')).toEqual([
    ...[noFlag, noFlag, noFlag, noFlag, emptied('postOnly')],
    ...['order_type=limit', 'order_type=limit post_only=1', 'order_type=limit'],
    ...['order_type=limit post_only=1 time_in_force=IOC', 'order_type=limit time_in_force=IOC'],
    ...['order_type=limit post_only=1 time_in_force=GTC', 'order_type=limit time_in_force=GTC'],
    ...['order_type=limit post_only=1', 'InvalidOrder bourse cannot place a PO order that is not post-only'],
    ...['order_type=limit time_in_force=FOK', 'order_type=limit post_only=1'],
    ...[oneStop, oneStop],
    ...['triggerPrice', 'stopPrice', 'stopLossPrice'].flatMap((name) => [
      'order_type=stop_limit stop_price=101',
      needs(name),
    ]),
    needs('stopPrice'),
    ...Array.from({ length: 2 }, () => 'order_type=stop_limit stop_price=101 trigger_by=mark'),
    ...['order_type=stop_limit stop_price=101', 'BadRequest bourse takes triggerPriceType as last, mark or index'],
    'InvalidOrder bourse takes triggerPriceType with one of triggerPrice, stopPrice, stopLossPrice',
    'order_type=trailing_stop activation_price=120',
    needs('trailingTriggerPrice'),
    emptied('trailingAmount'),
    ...['clientOrderId', 'stp', 'timeInForce', 'idempotencyKey'].map(emptied),
  ]);
});

/** Commands to an exchange that answers when the test says so; `begun` are the calls that have reached it. */
const HELD = `
PAIR, OTHER = {"legal_id": 3, "currency_id": 1}, {"legal_id": 3, "currency_id": 2}
class Held(bourse):
    def __init__(self): self.begun, self.answers = [], {}
    async def answer(self, kind, command):
        name = " ".join([kind, *(str(value) for key, value in command.items() if key in ("id", "client_order_id"))])
        self.begun.append(name)
        self.answers[name] = asyncio.get_running_loop().create_future()
        return await self.answers[name]
    async def privatePostCoinTrade(self, command): return await self.answer("place", command)
    async def privatePutCoinOrder(self, command): return await self.answer("amend", command)
    async def privatePutCoinTrade(self, command): return await self.answer("cancel", command)
    async def privatePostCoinCancelAll(self, command): return await self.answer("all", command)
    async def socket_order_place(self, command): return await self.answer("place", command)
    async def socket_order_cancel(self, command): return await self.answer("cancel", command)
    async def sleep(self, ms): pass
    def call(self, method, **request): return asyncio.ensure_future(self.once(method, request, {}))
    def end(self, *names):
        for name in names: self.answers[name].set_result({})
    async def news(self):
        for _ in range(5): await asyncio.sleep(0)
        begun, self.begun = self.begun, []
        return begun
`;

test('a command of asyncio does not overtake one of the same order that is sent again [CLIENT-075]', async () => {
  const output = await run(`${HELD}
async def main():
    exchange = Held()
    calls = [exchange.call("privatePostCoinTrade", client_order_id="a", **PAIR)]
    calls.append(exchange.call("socket_order_cancel", client_order_id="a"))
    calls.append(exchange.call("socket_order_place", client_order_id="b", **PAIR))
    print(await exchange.news())
    exchange.answers["place a"].set_exception(RequestTimeout("lost"))
    print(await exchange.news())
    exchange.end("place a", "place b")
    print(await exchange.news())
    exchange.end("cancel a")
    calls.append(exchange.call("privatePutCoinOrder", id="7", amount="1"))
    calls.append(exchange.call("privatePutCoinTrade", client_order_id="b"))
    print(await exchange.news())
    exchange.end("amend 7")
    print(await exchange.news())
    exchange.end("cancel b")
    calls.append(exchange.call("privatePostCoinTrade", client_order_id="c", **PAIR))
    calls.append(exchange.call("privatePostCoinCancelAll", **PAIR))
    calls.append(exchange.call("privatePostCoinTrade", client_order_id="d", **PAIR))
    calls.append(exchange.call("privatePostCoinTrade", client_order_id="e", **OTHER))
    print(await exchange.news())
    exchange.end("place c", "place e")
    print(await exchange.news())
    exchange.end("all")
    print(await exchange.news())
    exchange.end("place d")
    await asyncio.gather(*calls)
asyncio.run(asyncio.wait_for(main(), 5))
`);
  expect(output.trim().split('\n')).toEqual([
    "['place a', 'place b']",
    "['place a']",
    "['cancel a']",
    "['amend 7']",
    "['cancel b']",
    "['place c', 'place e']",
    "['all']",
    "['place d']",
  ]);
});

test('a command of asyncio that is cancelled while it waits is not sent and delays no other [CLIENT-075]', async () => {
  const output = await run(`${HELD}
async def main():
    exchange = Held()
    order = exchange.call("privatePostCoinTrade", client_order_id="a", **PAIR)
    waiting = exchange.call("privatePostCoinCancelAll", **PAIR)
    behind = exchange.call("privatePutCoinTrade", client_order_id="a")
    other = exchange.call("privatePutCoinTrade", client_order_id="b")
    print(await exchange.news())
    waiting.cancel()
    print(await exchange.news(), waiting.cancelled())
    exchange.end("place a", "cancel b")
    print(await exchange.news())
    exchange.end("cancel a")
    await asyncio.gather(order, behind, other)
asyncio.run(asyncio.wait_for(main(), 5))
`);
  expect(output.trim().split('\n')).toEqual(["['place a']", "['cancel b'] True", "['cancel a']"]);
});

test('a command of a thread waits for those of others, and not inside one of its own [CLIENT-075]', async () => {
  const output = await run(`
import threading
from bourse_ccxt import bourse as plain
begun, ends = [], {name: threading.Event() for name in ("place", "cancel", "all")}
class Held(plain):
    def answer(self, kind):
        begun.append(kind)
        ends[kind].wait(5)
        return {}
    def privatePostCoinTrade(self, command):
        # As the handler of a signal does.
        self.once("privatePostCoinCancelAll", {}, {})
        return self.answer("place")
    def privatePutCoinTrade(self, command): return self.answer("cancel")
    def privatePostCoinCancelAll(self, command): return self.answer("all")
    def milliseconds(self): return 0
exchange = Held()
def started(method, **request):
    thread = threading.Thread(target=exchange.once, args=(method, request, {}))
    thread.start()
    return thread
ends["all"].set()
placing = started("privatePostCoinTrade", client_order_id="a", legal_id=3, currency_id=1)
while "place" not in begun: threading.Event().wait(0.01)
cancelling = started("privatePutCoinTrade", client_order_id="a")
cancelling.join(0.2)
print(begun)
ends["place"].set()
ends["cancel"].set()
placing.join()
cancelling.join()
print(begun)
`);
  expect(output).toBe("['all', 'place']\n['all', 'place', 'cancel']\n");
});

test('every error of a command has its key, and leaves the key in the error of another [CLIENT-079]', async () => {
  const output = await run(`
import bourse_ccxt
lost = RequestTimeout("lost")
class Waiting(bourse):
    async def lose(self, command): raise lost
    async def hang(self, command): await asyncio.sleep(5)
class Plain(bourse_ccxt.bourse):
    def refuse(self, command): raise errors.InvalidOrder("refused")
    def interrupt(self, command): raise KeyboardInterrupt
    def milliseconds(self): return 0
async def main():
    exchange = Waiting()
    exchange.options = {"outcomeMs": 0}
    calls = [exchange.once("lose", {}, params) for params in ({}, {"idempotencyKey": "own"})]
    for error in await asyncio.gather(*calls, return_exceptions=True):
        print(type(error).__name__, error, error.idempotency_key)
    call = asyncio.ensure_future(exchange.once("hang", {}, {}))
    await asyncio.sleep(0)
    call.cancel()
    try:
        await call
    except asyncio.CancelledError as error:
        print(error.idempotency_key)
asyncio.run(asyncio.wait_for(main(), 5))
for method in ("refuse", "interrupt"):
    for params in ({}, {"idempotencyKey": "own"}):
        try:
            Plain().once(method, {}, params)
        except BaseException as error:
            print(type(error).__name__, error.idempotency_key)
`);
  expect(output.trim().split('\n')).toEqual([
    ...['RequestTimeout lost key-of-mine', 'RequestTimeout lost own', 'key-of-mine'],
    ...['InvalidOrder key-of-mine', 'InvalidOrder own', 'KeyboardInterrupt key-of-mine', 'KeyboardInterrupt own'],
  ]);
});

test('an order whose clientOrderId another one has is a duplicate, with that order [CLIENT-060]', async () => {
  const output = await run(`
exchange = bourse()
for answer in ({"type": "ok", "id": "7"}, {"type": "ok", "id": "7", "repeated": 1}):
    try:
        print(exchange.handle_errors(200, "", "", "", {}, json.dumps(answer), answer, {}, None))
    except errors.DuplicateOrderId as error:
        print(error)
`);
  expect(output).toBe('None\nbourse {"type": "ok", "id": "7", "repeated": 1}\n');
});

test('a list that moves while it is read is read again, and has each row once [CLIENT-067]', async () => {
  const output = await run(`
class Listed(bourse):
    def __init__(self, *states): self.states = list(states)
    async def listed(self, fields):
        rows = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        at = (fields["page"] - 1) * 2
        data = [{"id": id} for id in rows[at:at + 2]]
        return {"message": {"data": data, "total": len(rows), "has_more": 1 if at + 2 < len(rows) else 0}}
async def main():
    for states in (["5432", "432"], ["5432", "65432"], ["5432"]):
        print("".join(row["id"] for row in await Listed(*states).pages("listed", {}, 100)))
asyncio.run(main())
`);
  // One has ended, one is new, none has changed.
  expect(output).toBe('432\n5432\n5432\n');
});

test('balances are those of the named account; other accounts and parameters are refused [CLIENT-067]', async () => {
  const output = await run(`
class Held(bourse):
    async def private_get_wallet_list(self, params={}):
        row = {"currency_name": "BTC", "change_balance": "1", "lock_change_balance": "2", "lever_balance": "3"}
        row["lock_lever_balance"] = "4"
        return {"message": {"change_wallet": {"balance": [row]}, "lever_wallet": {"balance": [row]}}}
async def main():
    exchange = Held()
    for params in ({}, {"type": "margin"}, {"type": "swap"}, {"marginMode": "cross"}):
        try:
            print((await exchange.fetch_balance(params))["BTC"])
        except errors.NotSupported as error:
            print(error)
    try:
        await exchange.watch_balance({"type": "margin"})
    except errors.NotSupported as error:
        print(error)
asyncio.run(main())
`);
  expect(output.trim().split('\n')).toEqual([
    "{'free': '1', 'used': '2'}",
    "{'free': '3', 'used': '4'}",
    'bourse has no account swap',
    'bourse fetchBalance() does not know marginMode',
    'bourse watches the balances of the spot account alone',
  ]);
});

/** A bot on a socket that answers each frame as the exchange does: 20 frames are saved, ten a second come to them. */
const SOCKET = `
class Client:
    url, user_seq = "ws", None
    def __init__(self):
        self.subscriptions, self.futures, self.wishes, self.is_asking, self.books = {}, {}, {}, False, {}
        self.rejected = {}
    def future(self, name): return self.futures.setdefault(name, asyncio.get_running_loop().create_future())
    def reject(self, error, name): self.rejected[name] = error
class Watched(bourse):
    exceptions = {"exact": {"pair.delisted": errors.BadSymbol}}
    def __init__(self):
        self.socket, self.frames, self.refused, self.served = Client(), [], 0, {}
        self.clients = {"ws": self.socket}
        self.asyncio_loop = asyncio.get_running_loop()
        self.saved, self.at = 20.0, self.asyncio_loop.time()
    def market(self, symbol): return {"id": symbol}
    async def connected(self): return self.socket
    def admits(self):
        now = self.asyncio_loop.time()
        self.saved, self.at = min(20.0, self.saved + (now - self.at) * 10), now
        if self.saved < 1: return False
        self.saved -= 1
        return True
    def emit(self, client, event, payload, answered=None):
        self.frames.append((event, payload))
        if not self.admits():
            self.refused += 1
            answer = {"type": "error", "key": "common.tooMany", "params": {"retry_ms": 20}}
        elif event == "unsubscribe":
            self.served.pop(payload["symbol"], None)
            answer = {"type": "ok"}
        else:
            answer = {"ok": [], "refused": []}
            for wanted in payload.get("channels", [payload]):
                named = {"interval": "", **wanted}
                if wanted["symbol"] == "OLD": answer["refused"].append({**named, "key": "pair.delisted"})
                else:
                    self.served[wanted["symbol"]] = True
                    answer["ok"].append({**named, "seq": 1, "snapshot": None})
        if answered: self.asyncio_loop.call_later(0.001, answered, answer)
def watch(exchange, symbol): return asyncio.ensure_future(exchange.watch_ticker(symbol))
`;

test('streams of one turn share frames of fifty, and a refused one fails only its callers [CLIENT-065]', async () => {
  const output = await run(`${SOCKET}
async def main():
    exchange = Watched()
    calls = [watch(exchange, f"P{number}") for number in range(120)] + [watch(exchange, "OLD")]
    await asyncio.sleep(0.5)
    print([len(payload["channels"]) for _, payload in exchange.frames], len(exchange.served), exchange.refused)
    print({name: type(error).__name__ for name, error in exchange.socket.rejected.items()})
    print("daymarket OLD" in exchange.socket.subscriptions, "daymarket P1" in exchange.socket.subscriptions)
    for call in calls: call.cancel()
asyncio.run(asyncio.wait_for(main(), 20))
`);
  expect(output.trim().split('\n')).toEqual(['[50, 50, 21] 120 0', "{'daymarket OLD': 'BadSymbol'}", 'False True']);
});

test('a frame refused for its rate is sent again, with the last wish for each stream [CLIENT-065]', async () => {
  const output = await run(`${SOCKET}
async def main():
    exchange = Watched()
    exchange.saved = 0.5
    calls = [watch(exchange, name) for name in ("A", "B", "C")]
    await asyncio.sleep(0.01)
    calls.append(watch(exchange, "D"))
    await exchange.unsubscribe("daymarket", "A")
    await exchange.unsubscribe("daymarket", "B")
    calls.append(watch(exchange, "B"))
    await asyncio.sleep(1)
    print(sorted(exchange.served), exchange.refused, sorted(exchange.socket.subscriptions))
    for call in calls: call.cancel()
asyncio.run(asyncio.wait_for(main(), 20))
`);
  expect(output).toBe("['B', 'C', 'D'] 1 ['daymarket B', 'daymarket C', 'daymarket D']\n");
});

test('streams that end one by one do not exceed the frames of a socket [CLIENT-065]', async () => {
  const output = await run(`${SOCKET}
async def main():
    exchange = Watched()
    calls = [watch(exchange, f"P{number}") for number in range(30)]
    await asyncio.sleep(0.05)
    for number in range(30): await exchange.unsubscribe("daymarket", f"P{number}")
    while exchange.served: await asyncio.sleep(0.05)
    print(exchange.refused)
    for call in calls: call.cancel()
asyncio.run(asyncio.wait_for(main(), 20))
`);
  expect(output).toBe('0\n');
});

test('the end of an earlier connection leaves the balances of the present one as they are [CLIENT-071]', async () => {
  const output = await run(`
def end(self, client, error):
    if self.clients.get(client.url) is client: del self.clients[client.url]
base.Exchange.on_close = base.Exchange.on_error = end
class Client:
    url = "ws"
    def __init__(self, read):
        self.balance_read, self.changed_balances, self.futures, self.read = None, {}, {}, read
    def future(self, name): return self.futures.setdefault(name, asyncio.get_running_loop().create_future())
class Watched(bourse):
    async def signed_in(self): return self.clients["ws"]
    async def fetch_balance(self): return await self.clients["ws"].read
def read(amount): return {"info": {}, "free": {"BTC": amount}, "used": {"BTC": 0}}
async def main():
    loop, exchange = asyncio.get_running_loop(), Watched()
    earlier, present = Client(loop.create_future()), Client(loop.create_future())
    exchange.clients, exchange.balance = {"ws": earlier}, {}
    waiting = asyncio.ensure_future(exchange.watch_balance())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    exchange.on_error(earlier, NetworkError("lost"))
    exchange.clients["ws"] = present
    watching = asyncio.ensure_future(exchange.watch_balance())
    present.read.set_result(read(2))
    await asyncio.sleep(0.01)
    print(exchange.balance["BTC"]["free"])
    earlier.read.set_result(read(1))
    print(repr(*await asyncio.gather(waiting, return_exceptions=True)))
    exchange.on_close(earlier, 1006)
    print(exchange.balance["BTC"]["free"])
    exchange.on_close(present, 1006)
    print(exchange.balance)
    watching.cancel()
asyncio.run(asyncio.wait_for(main(), 5))
`);
  expect(output.split('\n')).toEqual([
    '2',
    "NetworkError('bourse lost the connection while it read the balances')",
    '2',
    '{}',
    '',
  ]);
});

test('a frame without an answer fails its callers with a timeout, and the next is sent [CLIENT-072]', async () => {
  const output = await run(`${SOCKET}
import bourse_ccxt.pro as module
module.ANSWER_S = 0.05
class Silent(Watched):
    silent = True
    def emit(self, client, event, payload, answered=None):
        if not self.silent: return super().emit(client, event, payload, answered)
        self.frames.append((event, payload))
        client.requests += 1
        client.acknowledged[client.requests] = answered
        return client.requests
    async def signed_in(self): return self.socket
async def main():
    exchange = Silent()
    exchange.socket.acknowledged, exchange.socket.requests = {}, 0
    def reject(error, name):
        exchange.socket.futures.pop(name).set_exception(error)
    exchange.socket.reject = reject
    calls = [watch(exchange, "A"), watch(exchange, "B")]
    calls.append(asyncio.ensure_future(exchange.ask("order.place", {"idempotencyKey": "k"})))
    for failed in await asyncio.gather(*calls, return_exceptions=True): print(repr(failed))
    print(exchange.socket.subscriptions, exchange.socket.acknowledged)
    exchange.silent = False
    again = watch(exchange, "A")
    await asyncio.sleep(0.2)
    print(sorted(exchange.served), list(exchange.socket.subscriptions))
    again.cancel()
    waits = Client()
    waits.is_ready, waits.on_error = False, lambda error: print(repr(error))
    exchange.clients["ws"] = waits
    exchange.give_up(waits)
asyncio.run(asyncio.wait_for(main(), 5))
`);
  expect(output.split('\n')).toEqual([
    "RequestTimeout('bourse subscribe has no answer')",
    "RequestTimeout('bourse subscribe has no answer')",
    "RequestTimeout('bourse order.place has no answer')",
    '{} {}',
    "['A'] ['daymarket A']",
    "RequestTimeout('bourse was not connected in 20 s')",
    '',
  ]);
});

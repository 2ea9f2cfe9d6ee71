"""A bot of few lines: shows balances, lets an order rest below the market, repeats it under its key, and cancels; then
the same over the socket, with a change of its price.

BOURSE_URL=http://127.0.0.1:8080 BOURSE_API_KEY=… BOURSE_API_SECRET=… python3 examples/python/bot.py [symbol]
"""

from __future__ import annotations

import os
import sys
import uuid
from decimal import Decimal

from bourse import Bourse, Refused, sign
from stream import Stream


def main() -> None:
    symbol = sys.argv[1] if len(sys.argv) > 1 else "BTC/USDT"
    environment = os.environ
    exchange = Bourse(
        environment.get("BOURSE_URL", "http://127.0.0.1:8080"),
        environment["BOURSE_API_KEY"],
        environment["BOURSE_API_SECRET"],
    )
    known = "legal_id=3&currency_id=1&type=1&target_price=56000&amount=0.01"
    print("Check value:", sign("demo-secret", "POST", "/api/coin/trade", "1767225600000", known)[:8])

    market = exchange.markets()[symbol]
    bid, ask = exchange.best(market)
    print(f"{symbol}: {bid} bid, {ask} asked")
    for name, (free, held) in exchange.balances().items():
        print(f"  {name}: {free:f} free, {held:f} held")

    step = Decimal(1).scaleb(-int(market["price_scale"]))
    price = (Decimal(market["now_price"]) * Decimal("0.8")).quantize(step)
    key = uuid.uuid4().hex
    stream = Stream(exchange)
    stream.open()
    order = exchange.place(market, "buy", Decimal("0.001"), price, key)
    again = exchange.place(market, "buy", Decimal("0.001"), price, key)
    print(f"Order rests at its price: {order['target_price'] == format(price, 'f')}")
    print(f"The same command again answers the same order: {again['id'] == order['id']}")
    print(f"It is open once: {[one['id'] for one in exchange.open_orders()].count(order['id']) == 1}")
    try:
        exchange.place(market, "buy", Decimal(100_000), price)
    except Refused as refused:
        print(f"Too much is refused: {refused.key}")
    print(f"Cancelled: {exchange.cancel(order['id'])['cancelled'] == 1}")
    resting = stream.place(market, "buy", Decimal("0.001"), price)
    changed = stream.amend(resting["id"], price - step)
    print(f"Changed over the socket: {changed['target_price'] == format(price - step, 'f')}")
    print(f"Cancelled over the socket: {stream.cancel_all(market) == [resting['id']]}")
    # One event for each state: open, then cancelled.
    states = []
    for event, payload in stream:
        if event == "order_update" and payload["order"]["id"] == order["id"]:
            states.append(payload["order"]["cancelled"])
            if states[-1] == 1:
                break
    stream.close()
    print(f"Told by the stream: {states}")


if __name__ == "__main__":
    main()

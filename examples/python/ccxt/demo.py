#!/usr/bin/env python3
"""A bot of few lines, once with plain calls and once with asyncio: reads the book, places an order that rests and
cancels it, buys at the market and sells again.

    BOURSE_HOST=127.0.0.1:8080 BOURSE_API_KEY=… BOURSE_API_SECRET=… \\
        python3 examples/python/ccxt/demo.py [symbol] [amount]
"""

import asyncio
import time

import ccxt

from bourse_ccxt import bourse
from bourse_ccxt.async_support import bourse as async_bourse
from settings import AMOUNT, SETTINGS, SYMBOL, require_key

ENDS_S = 20


def rest_and_trade() -> None:
    exchange = bourse(SETTINGS)
    exchange.load_markets()
    book = exchange.fetch_order_book(SYMBOL)
    bid, ask = book["bids"][0][0], book["asks"][0][0]
    print(f"{SYMBOL}: {bid} bid, {ask} asked")
    candles = exchange.fetch_ohlcv(SYMBOL, "1m", limit=5)
    print(f"Candles of a minute: {all(b[0] - a[0] == 60_000 for a, b in zip(candles, candles[1:]))}")

    # An order twenty percent below the best bid rests.
    price = float(exchange.price_to_precision(SYMBOL, bid * 0.8))
    key = exchange.uuid()
    resting = exchange.create_order(SYMBOL, "limit", "buy", AMOUNT, price, {"idempotencyKey": key})
    again = exchange.create_order(SYMBOL, "limit", "buy", AMOUNT, price, {"idempotencyKey": key})
    print(f"Order for {resting['amount']} rests at its price: {resting['price'] == price}")
    print(f"The same command again answers the same order: {again['id'] == resting['id']}")
    print(f"It is open once: {[one['id'] for one in exchange.fetch_open_orders(SYMBOL)].count(resting['id']) == 1}")
    print(f"It is {exchange.cancel_order(resting['id'], SYMBOL)['status']}")
    for wish in ({"takeProfitPrice": 1}, {"reduceOnly": True}):
        try:
            exchange.create_order(SYMBOL, "limit", "buy", AMOUNT, price, wish)
        except ccxt.NotSupported:
            print(f"Refused: {', '.join(wish)}")
    try:
        exchange.create_order(SYMBOL, "limit", "buy", 1_000_000, price)
    except ccxt.InsufficientFunds:
        print("Too much is refused")

    before = exchange.fetch_balance()
    for side in ("buy", "sell"):
        order = exchange.create_order(SYMBOL, "market", side, AMOUNT)
        until = time.monotonic() + ENDS_S
        while order["status"] == "open" and time.monotonic() < until:
            order = exchange.fetch_order(order["id"], SYMBOL)
        fills = exchange.fetch_order_trades(order["id"], SYMBOL)
        filled = abs(sum(one["amount"] for one in fills) - AMOUNT) < 1e-12
        print(f"{side} {order['filled']}: {order['status']}, its fills add up: {filled}")
    base = exchange.market(SYMBOL)["base"]
    # The ledger books a fill after the book has made it. The fee of a purchase is taken from the base coin.
    until = time.monotonic() + ENDS_S
    spent = -AMOUNT
    while not 0 <= spent < AMOUNT and time.monotonic() < until:
        spent = before["total"][base] - exchange.fetch_balance()["total"][base]
    print(f"{base} is what it was but for the fee: {0 <= spent < AMOUNT}")


async def watch() -> None:
    exchange = async_bourse(SETTINGS)
    try:
        tickers, balance = await asyncio.gather(exchange.fetch_tickers(), exchange.fetch_balance())
        print(f"With asyncio: {tickers[SYMBOL]['last'] > 0}, {len(balance['total']) > 0}")
        order = await exchange.create_order(SYMBOL, "limit", "buy", AMOUNT, tickers[SYMBOL]["bid"] * 0.8)
        print(f"It is {(await exchange.cancel_order(order['id'], SYMBOL))['status']}")
    finally:
        await exchange.close()


if __name__ == "__main__":
    require_key()
    rest_and_trade()
    asyncio.run(watch())

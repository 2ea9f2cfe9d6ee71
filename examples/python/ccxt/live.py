#!/usr/bin/env python3
"""Live streams and orders over the socket by ccxt.

Reads a ticker, a book, trades and a candle, follows an own order and the balances that it changes, places, changes and
cancels orders, and connects again after the connection was cut.

    BOURSE_HOST=127.0.0.1:8080 BOURSE_API_KEY=… BOURSE_API_SECRET=… \\
        python3 examples/python/ccxt/live.py [symbol] [amount]
"""

import asyncio

import ccxt

from bourse_ccxt.pro import bourse
from settings import AMOUNT, SETTINGS, SYMBOL, require_key

ENDS_S = 30


async def follow(exchange, order):
    """Waits until the stream shows an order that is no longer open."""
    while True:
        for one in await exchange.watch_orders(SYMBOL):
            if one["id"] == order and one["status"] != "open":
                return one


def cut(exchange):
    for client in list(exchange.clients.values()):
        client.on_error(ccxt.NetworkError("the connection was cut"))


async def main():
    exchange = bourse(SETTINGS)
    try:
        book = await exchange.watch_order_book(SYMBOL, 5)
        while not (book["bids"] and book["asks"]):
            book = await exchange.watch_order_book(SYMBOL, 5)
        bid, ask = book["bids"][0][0], book["asks"][0][0]
        print(f"{SYMBOL}: {bid} bid, {ask} asked, {len(book['bids'])} levels")
        ticker = await exchange.watch_ticker(SYMBOL)
        print(f"Last price: {ticker['last']}")

        # The streams are asked for before the order, so that none of its messages is missed.
        streams = [exchange.watch_trades(SYMBOL), exchange.watch_ohlcv(SYMBOL, "1m"), exchange.watch_my_trades(SYMBOL)]
        waiting = [asyncio.ensure_future(stream) for stream in (*streams, exchange.watch_balance())]
        ended = asyncio.ensure_future(exchange.watch_orders(SYMBOL))
        await exchange.signed_in()
        await asyncio.sleep(1)
        bought = await exchange.create_order(SYMBOL, "market", "buy", AMOUNT)
        trades, candles, fills, balance = await asyncio.gather(*waiting)
        await ended
        print(f"Trades: {len(trades) > 0}, candle: {candles[-1][4] > 0}")
        print(f"Own fill of the order: {fills[-1]['order'] == bought['id']}")
        print(f"Balances changed: {balance['BTC']['total'] is not None}")

        rests = await exchange.create_order(SYMBOL, "limit", "buy", AMOUNT, bid * 0.8)
        ends = asyncio.ensure_future(follow(exchange, rests["id"]))
        await asyncio.sleep(0)
        await exchange.cancel_order(rests["id"], SYMBOL)
        print(f"The stream shows its end: {(await ends)['status']}")

        placed = await exchange.create_order_ws(SYMBOL, "limit", "buy", AMOUNT, bid * 0.8)
        lower = float(exchange.price_to_precision(SYMBOL, bid * 0.7))
        changed = await exchange.edit_order_ws(placed["id"], SYMBOL, "limit", "buy", price=lower)
        print(f"Changed over the socket: {changed['price'] == lower}")
        print(f"Cancelled over the socket: {(await exchange.cancel_order_ws(placed['id'], SYMBOL))['status']}")
        try:
            await exchange.create_order_ws(SYMBOL, "limit", "buy", 1_000_000, bid * 0.8)
        except ccxt.InsufficientFunds:
            print("Too much is refused")
        lost = asyncio.ensure_future(exchange.create_order_ws(SYMBOL, "limit", "buy", AMOUNT, bid * 0.8))
        while not any(name.startswith("answer") for client in exchange.clients.values() for name in client.futures):
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        cut(exchange)
        order = await lost
        is_once = [one["id"] for one in await exchange.fetch_open_orders(SYMBOL)] == [order["id"]]
        print(f"An order whose answer is lost is placed once: {is_once}")
        ended = await exchange.cancel_all_orders_ws(SYMBOL)
        print(f"All are cancelled: {[one['id'] for one in ended] == [order['id']]}")

        waits = asyncio.ensure_future(exchange.watch_orders(SYMBOL))
        await asyncio.sleep(0)
        cut(exchange)
        try:
            await waits
        except ccxt.NetworkError as error:
            print(f"A waiting call fails: {error}")
        book = await exchange.watch_order_book(SYMBOL)
        print(f"The next call connects again: {book['bids'][0][0] > 0}")
    finally:
        await exchange.close()


if __name__ == "__main__":
    require_key()
    asyncio.run(asyncio.wait_for(main(), ENDS_S))

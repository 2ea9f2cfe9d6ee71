#!/usr/bin/env python3
"""freqtrade on Bourse: makes the exchange known to ccxt and to freqtrade, then runs freqtrade's own program.

    pip install freqtrade
    PYTHONPATH=examples/python/ccxt python3 examples/python/freqtrade/freqtrade_bourse.py trade \\
        --userdir examples/python/freqtrade --config config.json --strategy InAndOut
"""

import ccxt
import ccxt.async_support
import freqtrade.exchange
from freqtrade.exchange import Exchange
from freqtrade.main import main

from bourse_ccxt import bourse
from bourse_ccxt.async_support import bourse as async_bourse


class Bourse(Exchange):
    """The features of the exchange that freqtrade reads: stop losses on the exchange and times in force."""

    _ft_has = {
        "stoploss_on_exchange": True,
        "stop_price_param": "stopPrice",
        "stop_price_prop": "stopLossPrice",
        "stoploss_order_types": {"limit": "limit", "market": "market"},
        "order_time_in_force": ["GTC", "FOK", "IOC", "PO"],
        "ws_enabled": False,
    }


def register() -> None:
    """Registers the classes under the names by which ccxt and freqtrade load exchanges."""
    for module, known in ((ccxt, bourse), (ccxt.async_support, async_bourse)):
        setattr(module, "bourse", known)
        if "bourse" not in module.exchanges:
            module.exchanges.append("bourse")
    freqtrade.exchange.Bourse = Bourse


if __name__ == "__main__":
    register()
    main()

"""Buys whenever it holds nothing and sells after two minutes: a demonstration of orders, not a strategy for profit."""

from datetime import datetime

from freqtrade.persistence import Trade
from freqtrade.strategy import IStrategy
from pandas import DataFrame

HELD_S = 120


class InAndOut(IStrategy):
    INTERFACE_VERSION = 3
    timeframe = "1m"
    startup_candle_count = 5
    process_only_new_candles = False
    minimal_roi = {"0": 10}
    # The stop loss rests on the exchange, so that it works while the bot does not.
    stoploss = -0.05
    order_types = {
        "entry": "limit",
        "exit": "limit",
        "emergency_exit": "market",
        "stoploss": "market",
        "stoploss_on_exchange": True,
        "stoploss_on_exchange_interval": 15,
    }

    def populate_indicators(self, dataframe: DataFrame, metadata: dict) -> DataFrame:
        return dataframe

    def populate_entry_trend(self, dataframe: DataFrame, metadata: dict) -> DataFrame:
        dataframe["enter_long"] = 1
        return dataframe

    def populate_exit_trend(self, dataframe: DataFrame, metadata: dict) -> DataFrame:
        return dataframe

    def custom_exit(self, pair: str, trade: Trade, current_time: datetime, *_, **__) -> str | None:
        return "held long enough" if (current_time - trade.open_date_utc).total_seconds() >= HELD_S else None

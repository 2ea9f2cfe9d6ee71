"""Bourse for ccxt: the class that bots load; the one for asyncio is in bourse_ccxt.async_support."""

from bourse_ccxt.bourse import bourse

__all__ = ["bourse"]

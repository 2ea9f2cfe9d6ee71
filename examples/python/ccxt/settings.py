"""What the programs of this folder are started with."""

import os
import sys

SETTINGS = {
    "hostname": os.environ.get("BOURSE_HOST", "127.0.0.1:8080"),
    "apiKey": os.environ.get("BOURSE_API_KEY"),
    "secret": os.environ.get("BOURSE_API_SECRET"),
}
SYMBOL = sys.argv[1] if len(sys.argv) > 1 else "BTC/USDT"
AMOUNT = float(sys.argv[2]) if len(sys.argv) > 2 else 0.001


def require_key() -> None:
    """Ends the program without an API key."""
    if not SETTINGS["apiKey"] or not SETTINGS["secret"]:
        made = "make a key that may trade under Account settings, API keys"
        sys.exit(f"Set BOURSE_API_KEY and BOURSE_API_SECRET: {made}.")

"""A program of a trader that speaks FIX by QuickFIX; a test drives it.

Arguments as JSON: port, folder (of QuickFIX's own store), sender, target, key, secret, and what its Logon has besides.
Reads commands as lines of JSON: {"send": {"35": "D", "11": "a", ...}} or {"end": true}. Writes what happens as lines of
JSON: {"logon": true}, {"logout": true}, {"admin": {...}}, {"app": {...}}, fields by their numbers.
"""
import hashlib
import hmac
import json
import sys
from datetime import datetime, timezone

import quickfix as fix

GIVEN = json.loads(sys.argv[1])
EMPTY = hashlib.sha256(b"").hexdigest()


def tell(**what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def fields_of(message):
    pairs = [part.split("=", 1) for part in message.toString().split("\x01") if part]
    return {tag: value for tag, value in pairs}


class Trader(fix.Application):
    session = None

    def onCreate(self, session):
        self.session = session

    def onLogon(self, session):
        tell(logon=True)

    def onLogout(self, session):
        tell(logout=True)

    def toAdmin(self, message, session):
        header = message.getHeader()
        if header.getField(35) == "A":
            sent = datetime.strptime(header.getField(52)[:21], "%Y%m%d-%H:%M:%S.%f").replace(tzinfo=timezone.utc)
            timestamp = str(round(sent.timestamp() * 1000))
            lines = "\n".join(["GET", "/socket.io", timestamp, EMPTY])
            signature = hmac.new(GIVEN["secret"].encode(), lines.encode(), hashlib.sha256).hexdigest()
            message.setField(fix.StringField(553, GIVEN["key"]))
            message.setField(fix.StringField(554, signature))
            for tag, value in GIVEN.get("logon", {}).items():
                message.setField(fix.StringField(int(tag), value))
        tell(sent=fields_of(message))

    def fromAdmin(self, message, session):
        tell(admin=fields_of(message))

    def toApp(self, message, session):
        tell(sent=fields_of(message))

    def fromApp(self, message, session):
        tell(app=fields_of(message))


def settings():
    dictionary = GIVEN.get("dictionary")
    lines = [
        "[DEFAULT]",
        "ConnectionType=initiator",
        "ReconnectInterval=1",
        "StartTime=00:00:00",
        "EndTime=00:00:00",
        "HeartBtInt=5",
        "UseDataDictionary=" + ("Y" if dictionary else "N"),
        *(["DataDictionary=" + dictionary] if dictionary else []),
        "FileStorePath=" + GIVEN["folder"],
        "SocketConnectHost=127.0.0.1",
        "SocketConnectPort=%d" % GIVEN["port"],
        "ResetOnLogon=N",
        "ResetOnLogout=N",
        "ResetOnDisconnect=N",
        "[SESSION]",
        "BeginString=FIX.4.4",
        "SenderCompID=" + GIVEN["sender"],
        "TargetCompID=" + GIVEN["target"],
    ]
    file = GIVEN["folder"] + "/settings.cfg"
    with open(file, "w") as out:
        out.write("\n".join(lines) + "\n")
    return fix.SessionSettings(file)


def main():
    trader = Trader()
    read = settings()
    initiator = fix.SocketInitiator(trader, fix.FileStoreFactory(read), read)
    initiator.start()
    for line in sys.stdin:
        command = json.loads(line)
        if "end" in command:
            break
        message = fix.Message()
        for tag, value in command["send"].items():
            target = message.getHeader() if tag == "35" else message
            target.setField(fix.StringField(int(tag), value))
        fix.Session.sendToTarget(message, trader.session)
    initiator.stop()
    tell(ended=True)


main()

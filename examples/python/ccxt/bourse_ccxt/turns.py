"""The order of commands. One that is sent again after a lost answer would otherwise be overtaken by a later one of the
same order: a cancel would find nothing, and the order would stay open.
"""

import asyncio
import copy
import threading


class Claim:
    """The orders that a command is about."""

    def __init__(self, method, request):
        self.is_mass = method.replace("_", "").lower().endswith("cancelall")
        quote, base = request.get("legal_id"), request.get("currency_id")
        #: None: it is not known, or the command is about all pairs.
        self.pair = None if quote is None or base is None else (str(quote), str(base))
        self.is_new = self.pair is not None and not self.is_mass
        self.id, self.name = request.get("id"), request.get("client_order_id")
        self.thread = threading.get_ident()

    def overlaps(self, other):
        """Whether two commands may be about the same order."""
        if self.is_mass or other.is_mass:
            return None in (self.pair, other.pair) or self.pair == other.pair
        for one, another in ((self.id, other.id), (self.name, other.name)):
            if one is not None and another is not None:
                return str(one) == str(another)
        # One may name by its id what the other names by its client id.
        return not (self.is_new or other.is_new)


class Keyed:
    """Commands whose Idempotency-Key the caller gets with every error, to ask for the outcome again."""

    def with_key(self, params):
        key = self.safe_string(params, "idempotencyKey")
        return {**params, "idempotencyKey": self.uuid() if key is None else key}

    def error_with(self, params, error):
        key = params["idempotencyKey"]
        # A lost socket fails all its commands with one error.
        if getattr(error, "idempotency_key", key) != key:
            error = copy.copy(error).with_traceback(error.__traceback__)
        error.idempotency_key = key
        return error


class AsyncTurns(Keyed):
    """Commands of the class for asyncio."""

    async def once(self, method, request, params):
        """Carries out a command after the earlier ones that may be about the same order."""
        claim, ended = Claim(method, request), asyncio.Event()
        open_commands = self.__dict__.setdefault("open_commands", {})
        before = [earlier for one, earlier in open_commands.items() if one.overlaps(claim)]
        open_commands[claim] = ended
        params = self.with_key(params)
        try:
            for earlier in before:
                await earlier.wait()
            return await self.send_until_final(method, request, params)
        except BaseException as error:
            raise self.error_with(params, error)
        finally:
            del open_commands[claim]
            ended.set()


#: Notified when a command of any exchange has ended.
ENDED = threading.Condition()


class Turns(Keyed):
    """Commands of the plain class, in one thread or in several."""

    def once(self, method, request, params):
        """Carries out a command after the earlier ones of other threads that may be about the same order."""
        claim = Claim(method, request)
        open_commands = self.__dict__.setdefault("open_commands", {})
        params = self.with_key(params)
        try:
            with ENDED:
                # The handler of a signal interrupts a command of its own thread: that one cannot end before it.
                is_inside = any(one.thread == claim.thread for one in open_commands)
                before = [one for one in open_commands if not is_inside and one.overlaps(claim)]
                open_commands[claim] = True
                ENDED.wait_for(lambda: not any(one in open_commands for one in before))
            return self.send_until_final(method, request, params)
        except BaseException as error:
            raise self.error_with(params, error)
        finally:
            with ENDED:
                open_commands.pop(claim, None)
                ENDED.notify_all()

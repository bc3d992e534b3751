"""What a permission may cost, and the sentence that says so."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from walletmodal.core.chains.addresses import truncate
from walletmodal.core.language import Text, _, ngettext
from walletmodal.core.permissions.permission import Permission
from walletmodal.core.text.formatting import full_date_text

UNBOUNDED: Final = 2**256 - 1
"""More than there is of anything."""

_WEEK: Final = 604_800
_YEAR: Final = 31_536_000
_LAST_MOMENT: Final = int(datetime(9999, 12, 31, tzinfo=UTC).timestamp())
"""Of the calendar that dates are said in."""


def most_spent(permission: Permission, now: int) -> int | None:
    """Returns the most base units that can be spent from now on; None where there is no end to it.

    Of contract-call these are the coins that go along with the calls: what the contract does with a call, nobody can say.

    Args:
        permission: what may be spent.
        now: Unix seconds.
    """
    first = max(now, permission.start)
    if permission.until is not None and permission.until <= first:
        return 0
    if permission.manner == "allowance":
        return permission.amount
    if permission.manner == "call":
        return permission.amount * permission.calls if permission.calls else _without_end(permission.amount)
    if permission.manner == "stream":
        return _most_streamed(permission)
    if permission.until is None:
        return None
    # Periods begin at the start and not with the first use: one that has begun counts as a whole.
    period = permission.period or 1
    begun, last = (first - permission.start) // period, (permission.until - 1 - permission.start) // period
    return permission.amount * (last - begun + 1)


def _without_end(amount: int) -> int | None:
    return None if amount else 0


def _most_streamed(permission: Permission) -> int:
    maximum = permission.maximum or 0
    if permission.until is None:
        return maximum
    return min(maximum, permission.initial + permission.amount * (permission.until - 1 - permission.start))


def most_at_once(permission: Permission, now: int) -> int:
    """Returns the most base units that can be spent within a moment.

    Nothing lies between the end of a period and the next one, so that is what two of them have. Of a stream it is what is free by now.

    Args:
        permission: what may be spent.
        now: Unix seconds.
    """
    most = most_spent(permission, now)
    if permission.manner == "call":
        return UNBOUNDED if most is None else most
    once = permission.amount
    if permission.manner == "periodic":
        once *= 2
    if permission.manner == "stream":
        once = min(permission.maximum or 0, permission.initial + permission.amount * max(0, now - permission.start))
    return once if most is None else min(once, most)


def _periodic_sentence(seconds: int, amount: str, receiver: str) -> Text:
    """Says how often an amount may be spent: '10 USDC a day to example.com', '10 USDC every 3 days to example.com'."""
    said = {"amount": amount, "receiver": receiver}
    if seconds == _WEEK:
        return _("{amount} a week to {receiver}", **said)
    if seconds == _YEAR:
        return _("{amount} a year to {receiver}", **said)
    # Translators: how often an amount may be spent, such as: 10 USDC every 3 days to example.com
    if seconds % 86_400 == 0:
        return ngettext(
            "{amount} a day to {receiver}", "{amount} every {count} days to {receiver}", seconds // 86_400, **said
        )
    if seconds % 3600 == 0:
        return ngettext(
            "{amount} an hour to {receiver}", "{amount} every {count} hours to {receiver}", seconds // 3600, **said
        )
    if seconds % 60 == 0:
        return ngettext(
            "{amount} a minute to {receiver}", "{amount} every {count} minutes to {receiver}", seconds // 60, **said
        )
    return ngettext("{amount} a second to {receiver}", "{amount} every {count} seconds to {receiver}", seconds, **said)


def duration_text(seconds: int) -> str:
    """Formats a time in the largest unit that says it exactly: '3 days'."""
    if seconds and seconds % 86_400 == 0:
        return ngettext("{count} day", "{count} days", seconds // 86_400)
    if seconds and seconds % 3600 == 0:
        return ngettext("{count} hour", "{count} hours", seconds // 3600)
    if seconds and seconds % 60 == 0:
        return ngettext("{count} minute", "{count} minutes", seconds // 60)
    return ngettext("{count} second", "{count} seconds", seconds)


def day_of(seconds: int, now: int) -> str:
    """Formats the day of a moment (UTC): '1 March', with its year where that is not this one. What no calendar has is its last day."""
    day, today = (datetime.fromtimestamp(min(one, _LAST_MOMENT), UTC) for one in (seconds, now))
    return full_date_text(day.date(), year=day.year != today.year)


def _end(permission: Permission, now: int) -> str:
    """The day until which it counts; "" where that is in no calendar."""
    until = permission.until
    return "" if until is None or until > _LAST_MOMENT else day_of(until, now)


def call_sentence(permission: Permission, functions: Sequence[str], amount: str, caller: str, now: int) -> str:
    """Says what a permission lets somebody call: '5 calls of mint of 0x1234…abcdef with up to 0.1 ETH each, by example.com until 1 March'.

    Args:
        permission: what may be called.
        functions: signatures, or selectors.
        amount: of the coins that go along with one call, with its unit, in words for the visitor; "" for none.
        caller: who has the calls made.
        now: Unix seconds.
    """
    count = permission.calls
    many = _("Any number of calls") if count is None else ngettext("{count} call", "{count} calls", count)
    contract = truncate(permission.contract)
    called = _("{calls} of {functions} of {contract}", calls=many, functions=_either(functions), contract=contract)
    if amount and count == 1:
        called = _("{calls} with up to {amount}", calls=called, amount=amount)
    elif amount:
        called = _("{calls} with up to {amount} each", calls=called, amount=amount)
    if end := _end(permission, now):
        return _("{calls}, by {caller} until {day}", calls=called, caller=caller, day=end)
    return _("{calls}, by {caller} for ever", calls=called, caller=caller)


def _either(functions: Sequence[str]) -> str:
    names = list(dict.fromkeys(one.partition("(")[0] for one in functions))
    found = names[0] if names else ""
    for name in names[1:]:
        # Translators: names of functions of which any may be called
        found = _("{function} or {another}", function=found, another=name)
    return found


def grant_sentence(permission: Permission, amount: str, receiver: str, now: int) -> str:
    """Says what a permission lets somebody spend: '10 USDC a day to example.com until 1 March'.

    Args:
        permission: what may be spent.
        amount: of the permission, with its unit, in words for the visitor.
        receiver: who spends, or the payee.
        now: Unix seconds.
    """
    if permission.manner == "allowance":
        told = _("{amount} altogether to {receiver}", amount=amount, receiver=receiver)
    elif permission.manner == "stream":
        told = _("{amount} more with every second to {receiver}", amount=amount, receiver=receiver)
    else:
        told = _periodic_sentence(permission.period or 1, amount, receiver)
    if permission.start > now + 86_400:
        told = _("{grant} from {day}", grant=told, day=day_of(permission.start, now))
    if end := _end(permission, now):
        return _("{grant} until {day}", grant=told, day=end)
    return _("{grant} for ever", grant=told)

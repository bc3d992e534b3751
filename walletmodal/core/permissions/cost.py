"""What a permission may cost, and the sentence that says so."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from walletmodal.core.chains.addresses import truncate
from walletmodal.core.language import _, ngettext
from walletmodal.core.permissions.permission import Permission
from walletmodal.core.text.formatting import full_date_text

UNBOUNDED: Final = 2**256 - 1
"""More than there is of anything."""

_PERIODS: Final = {
    # Translators: how often an amount may be spent: 10 USDC a second
    1: _("a second"),
    60: _("a minute"),
    3600: _("an hour"),
    86_400: _("a day"),
    604_800: _("a week"),
    31_536_000: _("a year"),
}


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


def period_text(seconds: int) -> str:
    """Formats how often an amount may be spent again: 'a day', 'every 3 days'."""
    if seconds in _PERIODS:
        return _PERIODS[seconds]
    return _("every {duration}", duration=duration_text(seconds))


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
    """Formats the day of a moment (UTC): '1 March', with its year where that is not this one."""
    try:
        day, today = datetime.fromtimestamp(seconds, UTC), datetime.fromtimestamp(now, UTC)
    except (ValueError, OverflowError, OSError):
        return _("the end of time")
    return full_date_text(day.date(), year=day.year != today.year)


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
    if permission.until is None:
        return _("{calls}, by {caller} for ever", calls=called, caller=caller)
    return _("{calls}, by {caller} until {day}", calls=called, caller=caller, day=day_of(permission.until, now))


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
        period = period_text(permission.period or 1)
        # Translators: such as `10 USDC a day to example.com`
        told = _("{amount} {period} to {receiver}", amount=amount, period=period, receiver=receiver)
    if permission.start > now + 86_400:
        told = _("{grant} from {day}", grant=told, day=day_of(permission.start, now))
    if permission.until is None:
        return _("{grant} for ever", grant=told)
    return _("{grant} until {day}", grant=told, day=day_of(permission.until, now))

"""The wallet's accounts. A module of its own, because most wallets give one."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.core.wallets.account_type import AccountType
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.addresses import KINDS, AddressesState, AddressRow
from walletmodal.features.account.state import Eip155State
from walletmodal.features.account_views.parts import account_row, account_type_unknown, large_address, worth
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.images import avatar
from walletmodal.ui.inputs import INPUTS, text_input
from walletmodal.ui.notes import list_unavailable
from walletmodal.ui.own_parts import around
from walletmodal.ui.rows import owned_lines, row_skeleton
from walletmodal.ui.styled import ACCOUNT, styled

_LOADS: Final = (AccountTypeState.load_owners, AccountTypeState.load_passkeys)
_KEY: Final = rx.Var.create(_("Your wallet's key"))
_NO_SITE: Final = rx.Var.create("")
_part: Final = styled(ACCOUNT, INPUTS)
_TYPES: Final[tuple[AccountType, ...]] = ("smartAccount", "eoa")


def _row(row: rx.Var[AddressRow], number: rx.Var[int]) -> rx.Component:
    return account_row(
        row,
        number,
        detail=rx.el.span(row["kind"], " · ", worth(row["address"]), class_name="wm-row-detail"),
        switch=pgettext("button", "Switch"),
        switch_id="profile-switch-button",
        test_id="profile-account-item",
    )


def _type_row(number: int, kind: AccountType) -> rx.Component:
    """One of the two kinds that the embedded wallet's account can be used as, at one address."""
    name = KINDS[kind]
    return rx.el.li(
        avatar(active_var("avatar"), "md"),
        rx.el.span(
            rx.el.span(name),
            worth(active_var("address").to(str)),
            class_name="wm-row-label wm-row-lines",
        ),
        rx.cond(
            AccountTypeState.kind == kind,
            tag(_("In use"), "success"),
            button(
                pgettext("button", "Switch"),
                variant="accent",
                aria_label=_("Switch to your {kind}", kind=name),
                loading=AccountTypeState.busy,
                on_click=AccountTypeState.switch,
                data_testid=f"profile-switch-button-{number}",
            ),
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid="profile-account-item",
    )


def _accounts() -> rx.Component:
    """The wallet's accounts; where the embedded wallet's one address is both kinds, these."""
    both = (
        (active_var("connector") == AUTH_ID)
        & (ActiveState.namespace == "eip155")
        & (AccountTypeState.status != "")
        & (AccountTypeState.status != "unsupported")
        & ~Eip155State.several
    )
    return rx.cond(
        both,
        rx.fragment(*(_type_row(number, kind) for number, kind in enumerate(_TYPES))),
        rx.foreach(AddressesState.rows, _row),
    )


def _owner(address: rx.Var[str]) -> rx.Component:
    owners = AccountTypeState.known
    remove = button(
        pgettext("button", "Remove"),
        variant="accent",
        aria_label=_("Remove the owner {address}", address=address),
        disabled=owners["busy"].bool(),
        on_click=AccountTypeState.remove_owner(address),
        data_testid="safe-owner-remove",
    )
    is_key, written = address == owners["key"], rx.el.span(address, class_name="wm-owner-address")
    own = rx.cond(owners["signer"], _signs("", _KEY), tag(_KEY, "shade"))
    return rx.el.li(
        rx.cond(
            _passkey(address),
            _passkey_lines(address),
            rx.cond(
                is_key & owners["signer"].bool(),
                owned_lines(_KEY, _NO_SITE, address[:6] + "..." + address[-6:]),
                written,
            ),
        ),
        rx.cond(
            is_key,
            own,
            rx.fragment(rx.cond(_passkey(address), _signs(address, _passkey(address)["name"]), rx.fragment()), remove),
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid="safe-owner",
        key=address,
    )


def _passkey(owner: rx.Var[str]) -> rx.Var[dict[str, str]]:
    """What is known of a passkey by its contract; nothing of another owner."""
    return AccountTypeState.known["passkeys"].to(dict[str, dict[str, str]])[owner]


def _passkey_lines(owner: rx.Var[str]) -> rx.Component:
    return owned_lines(_passkey(owner)["name"], _NO_SITE, _passkey(owner)["made"])


def _signs(owner: str | rx.Var[str], name: str | rx.Var[str]) -> rx.Component:
    """Which owner signs: the one in use says so, another can be taken."""
    label = _("Use – sign with: {name}", name=name)
    take = button(
        pgettext("button", "Use"),
        variant="neutral",
        aria_label=label,
        on_click=AccountTypeState.sign_by(owner),
        data_testid="safe-owner-use",
    )
    return rx.cond(AccountTypeState.known["signer"] == owner, tag(_("Signs"), "success"), take)


def _offered(owner: rx.Var[str]) -> rx.Component:
    add = button(
        pgettext("button", "Add"),
        variant="accent",
        aria_label=_("Add as an owner: {name}", name=_passkey(owner)["name"]),
        disabled=AccountTypeState.known["busy"].bool(),
        on_click=AccountTypeState.add_passkey(owner),
        data_testid="safe-passkey-add",
    )
    return rx.el.li(
        _passkey_lines(owner), add, class_name="wm-row", data_kind="address", data_testid="safe-passkey", key=owner
    )


def _owners() -> rx.Component:
    """Who controls the Safe in use."""
    owners = AccountTypeState.known
    field = rx.el.div(
        text_input(
            _("Another owner's address"),
            key="owner-" + owners["rows"].to(list[str]).length().to_string(),
            max_length=64,
            on_change=AccountTypeState.type_owner,
            aria_invalid=rx.cond(owners["error"], "true", "false"),
            aria_describedby="wm-owner-error",
            data_testid="safe-owner-input",
        ),
        button(
            pgettext("button", "Add"),
            variant="neutral",
            loading=owners["busy"].bool(),
            on_click=AccountTypeState.add_owner,
            data_testid="safe-owner-add",
        ),
        class_name="wm-owner-field",
    )
    shown = rx.fragment(
        rx.el.p(_("Each of them alone can move everything in it."), class_name="wm-owner-note"),
        rx.el.ul(
            rx.foreach(owners["rows"].to(list[str]), _owner),
            class_name="wm-stack wm-scroll",
            data_height="accounts",
            custom_attrs={"aria-labelledby": "wm-owners"},
        ),
        rx.cond(
            owners["offered"].to(list[str]),
            rx.fragment(
                rx.el.p(_("Passkeys of yours that can be owners too:"), class_name="wm-owner-note", id="wm-offered"),
                rx.el.ul(
                    rx.foreach(owners["offered"].to(list[str]), _offered),
                    class_name="wm-stack",
                    custom_attrs={"aria-labelledby": "wm-offered"},
                ),
            ),
            rx.fragment(),
        ),
        field,
        rx.el.p(
            owners["error"].to(str),
            class_name="wm-owner-error",
            id="wm-owner-error",
            role="alert",
            data_testid="safe-owner-error",
        ),
    )
    failed = list_unavailable(AccountTypeState.load_owners, test_id="safe-owners-retry")
    return rx.cond(
        owners["phase"],
        rx.fragment(
            rx.el.h2(_("Owners on this network"), class_name="wm-list-heading", id="wm-owners"),
            rx.match(owners["phase"], ("shown", shown), ("failed", failed), row_skeleton("200px")),
        ),
        rx.fragment(),
    )


@rx.memo
def profile_view() -> rx.Component:
    """Profile: the account in use, its settings, and the wallet's other accounts."""
    return _part(
        large_address(test_id="profile-address"),
        rx.el.div(
            button(
                _("Account settings"),
                variant="neutral",
                icon=rx.icon("settings", size=16, aria_hidden="true"),
                on_click=ShellState.push("AccountSettings"),
                data_testid="account-settings-button",
            ),
            class_name="wm-beside",
        ),
        rx.cond(AccountTypeState.failed, rx.el.div(account_type_unknown(), class_name="wm-stack"), rx.fragment()),
        rx.el.h2(_("Your accounts"), class_name="wm-list-heading", id="wm-your-accounts"),
        *around(
            "Profile",
            "accounts",
            rx.el.ul(
                _accounts(),
                class_name="wm-stack wm-scroll",
                data_height="accounts",
                custom_attrs={"aria-labelledby": "wm-your-accounts"},
            ),
        ),
        rx.cond(Eip155State.safe == "usable", _owners(), rx.fragment()),
        on_mount=[AddressesState.refresh, AccountTypeState.load, *_LOADS],
    )

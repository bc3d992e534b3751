"""Which entries are looked at in which look.

In the dark look all are. The light one differs by its colours and the phone's by its width, and both come with the parts, not with the
states of a view: so each part, with each of its class names, is seen in them once (test_looks.py holds this list against that). In other
languages each view is looked at once.
"""

from __future__ import annotations

from typing import Final

from tests.gallery.stage import LANGUAGES, LOOKS, Look
from walletmodal.features.gallery.entries import ENTRIES, Entry

IN_EVERY_LOOK: Final = frozenset(
    """
    connect-searching connect-none connect-loading connect-directory-down connect-collapsed connect-legal-footer
    connect-legal-checkbox connect-wallets create get-wallet-full get-wallet-loading get-wallet-none
    connecting-external-declined account-named account-loading account-empty account-unavailable account-aged
    account-many-tokens account-disconnecting account-bare account-rich account-hostile account-unsupported
    account-compact account-solana account-bitcoin-kinds profile-three profile-smart profile-safe profile-safe-refused profile-safe-passkeys account-settings-several
    account-settings-one-network switch-address-many networks-none-found switch-network-asking
    unsupported-chain-full what-is-a-wallet view-lost what-is-a-network toast-loading toast-error embedded-connect
    embedded-account embedded-networks alert connecting-multi-chain-all networks-barred switch-active-chain
    all-wallets-loading all-wallets-phone activity-pending account-activity-loading activity-broken-off
    activity-without-explorer nfts-full nfts-next-page nfts-partial nft-full nft-loading nft-gone nft-none
    pairing-mobile pairing-web pairing-basic downloads-all receive receive-safe-barred receive-networks send-token-loading send-name
    send-nobody send-too-much send-incorrect send-tokens send-tokens-loading send-tokens-many
    send-tokens-hostile send-review-loading send-review-everything send-review-sponsored send-review-notice send-review-failed
    sign-in-declined sign-in-older-name account-settings-sign-ins sign-ins-loading sign-ins-others
    sign-ins-failed name-choose name-hostile name-failed name-signing name-done result-asked result-confirmed
    result-altered approve-loading approve-idle approve-several approve-allowance approve-unknown-call
    approve-failing approve-calls-fee approve-calls-fee-failed approve-framed-trial approve-calls-many approve-asking approve-bitcoin onramp-providers-failed
    onramp-providers-filled-in onramp-providers-example onramp-tokens-example onramp-waiting onramp-waiting-meld
    onramp-buy-failed onramp-activity swap-loading swap-unsupported swap-quoted swap-long swap-failed
    swap-tokens swap-tokens-none swap-preview-approve swap-preview-impact swap-preview-sponsored swap-preview-failed swap-result
    onramp-currencies what-is-a-buy connect-email connect-email-invalid email-login email-code email-code-wrong
    email-code-checked email-device recover-wallet-failed recover-wallet-begun approve-framed-hint account-settings-email
    connect-social connect-socials connecting-social-blocked connecting-social-failed devices upgrade-email-wallet passkeys passkeys-error add-passkey
    recovery-settings-all account-data account-settings-social account-settings-smart account-settings-foreign update-email update-email-primary update-email-secondary
    account-smart-sessions smart-sessions-loading smart-sessions-active smart-sessions-revoking smart-sessions-none smart-sessions-hostile
    calls-waiting calls-partly calls-none smart-session-created connecting-passkey-failed connecting-farcaster connecting-farcaster-phone connect-social-seven
    devices-held devices-offered recover-wallet-looking recover-wallet-window recovery-settings-own swap-quoting
    account-settings-type-unknown
    theme-midnight-account theme-midnight-send theme-paper-account theme-paper-send
    """.split()  # noqa: SIM905  # a list of a hundred names is read as a text
)
"""Between them these entries show every part below every other that it can lie in."""


OF_EACH_VIEW: Final = {entry.view: entry.id for entry in reversed(ENTRIES) if entry.id in IN_EVERY_LOOK}
"""One of these entries of each view."""


def entries_in(look: Look) -> tuple[Entry, ...]:
    """The entries that are looked at in a look."""
    if look == LOOKS[0]:
        return ENTRIES
    chosen = frozenset(OF_EACH_VIEW.values()) if look in LANGUAGES else IN_EVERY_LOOK
    return tuple(entry for entry in ENTRIES if entry.id in chosen)


VISITS: Final = tuple((look, entry) for look in (*LOOKS, *LANGUAGES) for entry in entries_in(look))
PICTURES: Final = tuple((look, entry) for look, entry in VISITS if entry.photographed)


def id_of(part: Look | Entry) -> str:
    """The name of a look or an entry, in the names of tests."""
    return part.name if isinstance(part, Look) else part.id

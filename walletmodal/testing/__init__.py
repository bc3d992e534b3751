"""What a Python host's own tests import: a wallet that signs, and a modal that signs visitors in, both without a browser.

`pip install walletmodal[testing]` brings pytest's fixtures `walletmodal_wallet` and `walletmodal_modal` along:

    def test_members_see_their_page(client, walletmodal_modal, walletmodal_wallet):
        session = walletmodal_modal.sign_in(walletmodal_wallet)
        token = walletmodal_modal.token(session)
        assert client.get("/members", headers={"Authorization": f"Bearer {token}"}).status_code == 200
"""

from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.testing.modal import AUDIENCE, FakeModal
from walletmodal.testing.stack import NotInstalledError, RunningStack
from walletmodal.testing.wallet import FakeWallet

__all__ = [
    "AUDIENCE",
    "FakeModal",
    "FakeWallet",
    "MovableClock",
    "NotInstalledError",
    "RunningStack",
    "SignInRefusedError",
    "SignInSession",
    "UserRejectedRequestError",
]

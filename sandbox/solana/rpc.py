"""JSON-RPC 2.0 over a ledger: single requests and batches."""

from collections.abc import Mapping

from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.solana.beginning import SolanaFaucet
from walletmodal.sandbox.solana.failures import INVALID_REQUEST, METHOD_NOT_FOUND, NODE_FAILED, SolanaRpcError
from walletmodal.sandbox.solana.ledger import Ledger
from walletmodal.sandbox.solana.parameters import Parameters, invalid
from walletmodal.sandbox.solana.state_methods import StateMethods
from walletmodal.sandbox.solana.transaction_methods import TransactionMethods


class SolanaRpc:
    """Answers requests.

    Args:
        ledger: what they are about.
        faucet: pays airdrops.

    Attributes:
        methods: what can be asked, by name.
        in_context: wraps a value with the slot that it is of.
    """

    def __init__(self, ledger: Ledger, faucet: SolanaFaucet) -> None:
        state = StateMethods(ledger)
        self.in_context = state.in_context
        self.methods = {**state.methods, **TransactionMethods(ledger, faucet, state.in_context).methods}

    def answer(self, asked: object) -> object:
        """The answer to a request or a batch, or None when there is none to give, as to a notification."""
        if isinstance(asked, list):
            if not asked:
                return _refused(None, SolanaRpcError(INVALID_REQUEST, "Invalid request"))
            answers = [answer for one in asked if (answer := self._answer_one(one)) is not None]
            return answers or None
        return self._answer_one(asked)

    def call(self, method: str, params: object) -> object:
        """The result of one method.

        Raises:
            SolanaRpcError: it is refused.
        """
        run = self.methods.get(method)
        if run is None:
            raise SolanaRpcError(METHOD_NOT_FOUND, "Method not found")
        if not isinstance(params, list):
            raise invalid("Invalid params: params must be a list")
        try:
            return run(Parameters(params))
        except NodeFailedError as error:
            raise SolanaRpcError(NODE_FAILED, str(error)) from error

    def _answer_one(self, asked: object) -> dict[str, object] | None:
        if not isinstance(asked, Mapping):
            return _refused(None, SolanaRpcError(INVALID_REQUEST, "Invalid request"))
        request_id, method = asked.get("id"), asked.get("method")
        if isinstance(request_id, bool) or not isinstance(request_id, str | int | float | None):
            return _refused(None, SolanaRpcError(INVALID_REQUEST, "Invalid request"))
        if asked.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return _refused(request_id, SolanaRpcError(INVALID_REQUEST, "Invalid request"))
        params = asked.get("params")
        try:
            result = self.call(method, [] if params is None else params)
        except SolanaRpcError as error:
            return _refused(request_id, error) if "id" in asked else None
        return {"jsonrpc": "2.0", "id": request_id, "result": result} if "id" in asked else None


def _refused(request_id: object, error: SolanaRpcError) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": request_id, "error": error.body}

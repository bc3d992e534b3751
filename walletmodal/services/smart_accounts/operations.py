"""User operations from calls to what is signed: nonce, price, who pays, gas and hash."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.decoding.decoded_call import is_unlimited
from walletmodal.core.errors.operations import AccountRejectedError, PaymasterRefusedError, PaymasterTermsError
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.account_state import (
    AccountState,
    Implementation,
    smart_account_address,
)
from walletmodal.core.smart_accounts.answers import MAX_PAYMASTER_GAS, PaymasterStub, TokenQuote
from walletmodal.core.smart_accounts.authorization import Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call
from walletmodal.core.smart_accounts.contracts import SAFE_PROXY_FACTORY, STATELESS_DELEGATOR
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.smart_accounts.token_terms import read_token_terms, reads_terms
from walletmodal.core.smart_accounts.typed_message import TypedMessage
from walletmodal.core.smart_accounts.user_operation import DUMMY_SIGNATURE, UserOperation
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.networks import SmartAccountNetworks
from walletmodal.services.smart_accounts.paymaster import Context, Paymaster

Authorize = Callable[[UserOperation], Awaitable[object]]
"""Decides whether an operation is paid for, whose most is known; raises SponsorshipError where it is not."""

_MOST: Final = 2**256 - 1
_APPROVE: Final = "approve(address,uint256)"
_UNSIGNED: Final = (0, 1, 1)
"""Stands for the signature of an authorization while gas is estimated."""


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for an operation in the account's place, or takes a token for it.

    Attributes:
        paymaster: the service.
        context: what it is told.
        token: the contract of the token that is taken from the account; "" where nothing is.
        authorize: asked before the service is asked to pay; None where nobody decides.
    """

    paymaster: Paymaster
    context: Context
    token: str = ""
    authorize: Authorize | None = None


@dataclass(frozen=True, slots=True)
class OperationRequest:
    """What an account is to do.

    Attributes:
        chain: the network.
        implementation: of the account.
        owner: the address of its key.
        calls: in order; all are made, or none.
        payer: None where the account pays by itself.
        passkey: of an owner of the Safe, that signs in the key's place; None where the key signs.
    """

    chain: ChainId
    implementation: Implementation
    owner: str
    calls: tuple[AccountCall, ...]
    payer: Payer | None = None
    passkey: PasskeySigner | None = None


@dataclass(frozen=True, slots=True)
class PreparedOperation:
    """An operation as it is shown and signed.

    Attributes:
        chain: the network.
        operation: without the signatures.
        entry_point: where it is handed in.
        hash: by which the chain knows it.
        message: that the key signs.
        owner: the key's own account; the sender itself, or of a Safe its owner.
        passkey: that signs in the key's place.
        authorization: that the key signs besides, where the account must be delegated first; to whatever other contract it is, its owner is shown that it is replaced.
        sponsor: who pays, by its own name; "" where it has none or the account pays. icon: of them, as `PaymasterStub.icon`.
        token: that the fee is taken in; token_most: the most of it, in base units.
    """

    chain: ChainId
    operation: UserOperation
    entry_point: str
    hash: bytes
    message: TypedMessage
    owner: str
    passkey: PasskeySigner | None = None
    authorization: Authorization | None = None
    sponsor: str = ""
    icon: str = ""
    token: str = ""
    token_most: int = 0

    def signed(self, signature: bytes, authorization: SignedAuthorization | None = None) -> UserOperation:
        """Returns the operation as it is sent.

        Args:
            signature: of the account's kind, over the message.
            authorization: signed by the key, where one is needed.

        Raises:
            ValueError: the authorization is not the one that was prepared.
        """
        if (authorization.authorization if authorization else None) != self.authorization:
            raise ValueError("another authorization than the one that was prepared")
        return replace(self.operation, signature=signature, authorization=authorization)


class UserOperations:
    """Prepares operations.

    Args:
        bundler: of the deployment.
        networks: says what accounts are.
        clock: what the terms of paymasters are held against.
    """

    def __init__(self, bundler: Bundler, networks: SmartAccountNetworks, *, clock: Clock | None = None) -> None:
        self._bundler, self._networks, self._clock = bundler, networks, clock or SystemClock()

    async def prepare(self, request: OperationRequest) -> PreparedOperation:
        """Works an operation out.

        Raises:
            AccountRejectedError: the account is none of its kind.
            OperationError: bundler or paymaster refuses it, or it would fail.
            SponsorshipError: nobody pays for it.
            NotConfiguredError: the network has no bundler.
            TransportError: somebody cannot be asked, or answers with what cannot be understood.
        """
        state = await self._networks.state(request.chain, request.implementation, request.owner)
        if state.kind == "contract":
            raise AccountRejectedError("the account is another contract")
        operation, authorization = await self._unpriced(request, state)
        price = await self._bundler.gas_price(request.chain)
        operation = replace(operation, max_fee_per_gas=price.most, max_priority_fee_per_gas=price.tip)
        if request.payer is None:
            found = await self._bundler.estimate(request.chain, operation, _entry_point(request))
            return _prepared(request, found, authorization)
        return await self._paid(request, request.payer, operation, authorization)

    async def _unpriced(
        self, request: OperationRequest, state: AccountState
    ) -> tuple[UserOperation, Authorization | None]:
        sender = smart_account_address(request.implementation, request.owner)
        nonce = await self._networks.operation_nonce(request.chain, sender, _entry_point(request))
        operation = UserOperation(
            sender=sender, nonce=nonce, call_data=_call_data(request, request.calls), signature=_dummy(request)
        )
        if state.is_deployed:
            return operation, None
        if request.implementation == "safe":
            made = safe.SafeAccount((request.owner,))
            return replace(operation, factory=SAFE_PROXY_FACTORY, factory_data=made.factory_data), None
        count = await self._networks.transaction_count(request.chain, sender)
        unsigned = Authorization(request.chain.number, STATELESS_DELEGATOR, count)
        return replace(operation, authorization=SignedAuthorization(unsigned, *_UNSIGNED)), unsigned

    async def _paid(
        self,
        request: OperationRequest,
        payer: Payer,
        operation: UserOperation,
        authorization: Authorization | None,
    ) -> PreparedOperation:
        if payer.token:
            return await self._paid_in_token(request, payer, operation, authorization)
        entry_point = _entry_point(request)
        stub = await payer.paymaster.stub(operation, entry_point, payer.context)
        estimated = await self._bundler.estimate(request.chain, _with_stub(operation, stub), entry_point)
        if payer.authorize is not None:
            await payer.authorize(estimated)
        data = await payer.paymaster.data(estimated, entry_point, payer.context, stub)
        prepared = _prepared(request, replace(estimated, paymaster_data=data), authorization)
        return replace(prepared, sponsor=stub.sponsor, icon=stub.icon)

    async def _paid_in_token(
        self,
        request: OperationRequest,
        payer: Payer,
        operation: UserOperation,
        authorization: Authorization | None,
    ) -> PreparedOperation:
        entry_point, paymaster = _entry_point(request), payer.paymaster
        quote = (await paymaster.token_quotes([payer.token], entry_point)).get(payer.token)
        if quote is None:
            raise PaymasterRefusedError("it does not take the token")
        left = await self._networks.allowance(request.chain, quote.token, operation.sender, quote.paymaster)
        operation = replace(operation, call_data=_with_allowance(request, quote, _MOST, left))
        stub = await paymaster.stub(operation, entry_point, payer.context)
        if quote.paymaster != stub.paymaster:
            raise PaymasterTermsError("another contract takes the token than the one that was quoted")
        estimated = await self._bundler.estimate(request.chain, _with_stub(operation, stub), entry_point)
        most = quote.most(estimated)
        if is_unlimited(most):
            # No fee is so high, and the wallet signs no allowance of it.
            raise PaymasterTermsError("it may take all that there is of the token")
        # The allowance is the most that can be taken, whatever the paymaster charges.
        estimated = replace(estimated, call_data=_with_allowance(request, quote, most, left))
        data = await paymaster.data(estimated, entry_point, payer.context, stub)
        found = replace(estimated, paymaster_data=data)
        _check_terms(quote, stub, found, most, int(self._clock.now().timestamp()))
        prepared = _prepared(request, found, authorization)
        return replace(prepared, sponsor=stub.sponsor, token=payer.token, token_most=most)


def _entry_point(request: OperationRequest) -> str:
    return safe.ENTRY_POINT if request.implementation == "safe" else delegator.ENTRY_POINT


def _call_data(request: OperationRequest, calls: tuple[AccountCall, ...]) -> bytes:
    encode = safe.operation_call_data if request.implementation == "safe" else delegator.execute_call_data
    return encode(calls)


def _with_allowance(request: OperationRequest, quote: TokenQuote, most: int, left: int) -> bytes:
    # Some tokens have an allowance taken back before they give another one.
    amounts = (0, most) if left else (most,)
    allow = (AccountCall(quote.token, 0, encode_call(_APPROVE, quote.paymaster, amount)) for amount in amounts)
    return _call_data(request, (*allow, *request.calls))


def _check_terms(quote: TokenQuote, stub: PaymasterStub, operation: UserOperation, most: int, now: int) -> None:
    """Holds what the paymaster has signed against what it has quoted, as far as its contract's terms can be read."""
    if not reads_terms(quote.paymaster):
        return
    terms = read_token_terms(quote.paymaster, operation.paymaster_data)
    if terms is None or terms.quote.token != quote.token:
        raise PaymasterTermsError("it would take something else than the token that was chosen")
    before = read_token_terms(quote.paymaster, stub.data)
    if before is not None and terms.treasury != before.treasury:
        raise PaymasterTermsError("somebody else would get the token than before")
    if not terms.holds_at(now):
        raise PaymasterTermsError("it would pay at another time")
    if terms.quote.most(operation) > most:
        raise PaymasterTermsError("it would take more than it has quoted")


def _dummy(request: OperationRequest) -> bytes:
    if request.implementation == "safe":
        return safe.dummy_signature(request.passkey.dummy_signature() if request.passkey else DUMMY_SIGNATURE)
    return DUMMY_SIGNATURE


def _with_stub(operation: UserOperation, stub: PaymasterStub) -> UserOperation:
    return replace(
        operation,
        paymaster=stub.paymaster,
        paymaster_data=stub.data,
        paymaster_verification_gas_limit=min(stub.verification_gas_limit or 0, MAX_PAYMASTER_GAS),
        paymaster_post_op_gas_limit=stub.post_op_gas_limit,
    )


def operation_message(operation: UserOperation, owner: str, chain_id: int) -> TypedMessage:
    """Makes the message that a key signs for an operation of its own account, or of its Safe."""
    message = delegator.operation_message if operation.sender == owner else safe.operation_message
    return message(operation, chain_id)


def _prepared(
    request: OperationRequest, operation: UserOperation, authorization: Authorization | None
) -> PreparedOperation:
    number, entry_point = request.chain.number, _entry_point(request)
    unsigned = replace(operation, signature=b"", authorization=None)
    return PreparedOperation(
        chain=request.chain,
        operation=unsigned,
        entry_point=entry_point,
        hash=unsigned.hash(entry_point, number),
        message=operation_message(unsigned, request.owner, number),
        owner=request.owner,
        passkey=request.passkey,
        authorization=authorization,
    )

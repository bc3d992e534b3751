"""Passkeys as owners of a Safe on the real chain: what they sign counts there, and what its contract refuses."""

from dataclasses import replace

import pytest
from eth_account.signers.local import LocalAccount

from tests.services.passkey_owner import PRESENT, PasskeyOwner
from tests.services.smart_account_stage import (
    BOB,
    ETHER,
    MAINNET,
    Stage,
    account_of,
    fresh_key,
    running_sandbox,
    stage,
    to_bob,
)
from walletmodal.core.errors.operations import OperationError
from walletmodal.core.smart_accounts.safe_owners import remove_owner_call
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation

__all__ = ["running_sandbox", "stage"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def owned(stage: Stage, key: LocalAccount, passkey: PasskeyOwner) -> str:
    """A Safe that the passkey owns too: made, and given that owner, by its first operation."""
    account = account_of("safe", key)
    await stage.fund(account, ETHER)
    request = OperationRequest(MAINNET, "safe", key.address, passkey.signer.own_calls(account))
    assert (await stage.make(request, key)).success
    return account


async def prepared_for(stage: Stage, key: LocalAccount, passkey: PasskeyOwner) -> PreparedOperation:
    request = OperationRequest(MAINNET, "safe", key.address, (to_bob(),), passkey=passkey.signer)
    return await stage.operations.prepare(request)


async def test_a_passkey_signs_alone_what_it_owns_until_it_is_removed(stage: Stage) -> None:
    key, passkey = fresh_key(), PasskeyOwner()
    account = await owned(stage, key, passkey)
    owners = await stage.networks.safe_owners(MAINNET, key.address)
    assert owners == (passkey.signer.address, key.address)
    before, prepared, height = await stage.balance(BOB), await prepared_for(stage, key, passkey), await stage.height()
    await stage.send(prepared, prepared.signed(passkey.sign(prepared.message.digest, high=True)))
    assert (await stage.outcome(prepared, height)).success
    assert await stage.balance(BOB) == before + 1
    call = remove_owner_call(account, owners, passkey.signer.address)
    assert (await stage.make(OperationRequest(MAINNET, "safe", key.address, (call,)), key)).success
    prepared = await prepared_for(stage, key, passkey)
    with pytest.raises(OperationError):
        await stage.send(prepared, prepared.signed(passkey.sign(prepared.message.digest)))


async def test_the_contract_refuses_what_the_passkey_has_not_signed_of_the_operation(stage: Stage) -> None:
    key, passkey = fresh_key(), PasskeyOwner()
    await owned(stage, key, passkey)
    prepared = await prepared_for(stage, key, passkey)
    digest = prepared.message.digest
    other, verified, unverified = PasskeyOwner(), passkey.assertion(digest), passkey.assertion(digest, flags=PRESENT)
    wrong = {
        "another credential": passkey.signed(other.assertion(digest)),
        "a passkey that is no owner": other.sign(digest),
        "another operation": passkey.sign(bytes(32)),
        "nobody verified": passkey.sign(digest, flags=PRESENT),
        "a flag that was set afterwards": passkey.signed(
            unverified._replace(authenticator_data=verified.authenticator_data)
        ),
    }
    assert [what for what, signature in wrong.items() if await refused(stage, prepared, signature)] == list(wrong)


async def refused(stage: Stage, prepared: PreparedOperation, signature: bytes) -> bool:
    try:
        await stage.send(prepared, replace(prepared.operation, signature=signature))
    except OperationError:
        return True
    return False

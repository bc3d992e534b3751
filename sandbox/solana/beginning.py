"""How Solana begins: mints under their public addresses, a faucet, funded accounts with NFTs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from solders.account import Account
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.litesvm import LiteSVM
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction
from spl.token.constants import MINT_LEN, TOKEN_PROGRAM_ID

from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.solana.failures import words_of
from walletmodal.sandbox.solana.ledger import Ledger
from walletmodal.sandbox.solana.metaplex import METADATA_PROGRAM, TokenMetadata, metadata_address, packed_metadata
from walletmodal.sandbox.solana.record import Landed
from walletmodal.sandbox.solana.spl import mint_one, mint_tokens, packed_mint
from walletmodal.sandbox.solana.world import (
    COLLECTION,
    GRANTED_LAMPORTS,
    TOKENS,
    WRAPPED_SOL,
    SolanaToken,
    account_keys,
    faucet_key,
)

FAUCET_LAMPORTS = 500_000_000 * 10**9
MAX_U64 = 2**64 - 1
ARTWORKS = "http://localhost:8700/artworks"
"""Where the documents of the NFTs are when the sandbox has its usual port."""


@dataclass(frozen=True)
class SolanaNft:
    """An NFT of the sandbox's collection: its mint (base58) and its name."""

    mint: str
    name: str


def first_accounts(svm: LiteSVM) -> None:
    """Put the faucet and the mints into a new virtual machine."""
    faucet = faucet_key().pubkey()
    svm.set_account(faucet, Account(FAUCET_LAMPORTS, b"", Pubkey.default()))
    rent = svm.minimum_balance_for_rent_exemption(MINT_LEN)
    for token in TOKENS:
        mint = packed_mint(token.decimals, faucet)
        svm.set_account(Pubkey.from_string(token.mint), Account(rent, mint, TOKEN_PROGRAM_ID))
    svm.set_account(Pubkey.from_string(WRAPPED_SOL), Account(rent, packed_mint(9, None), TOKEN_PROGRAM_ID))


def describe_world(artworks: str = ARTWORKS) -> str:
    """Changes when the beginning does, the place of the NFTs' documents with it."""
    accounts = [str(key.pubkey()) for key in (faucet_key(), *account_keys())]
    return repr((TOKENS, WRAPPED_SOL, GRANTED_LAMPORTS, COLLECTION, artworks, accounts))


class SolanaFaucet:
    """Gives SOL, tokens and NFTs away, by transactions of its own account.

    Args:
        ledger: where they land.
        artworks: URL below which the documents of the NFTs are.
    """

    def __init__(self, ledger: Ledger, artworks: str = ARTWORKS) -> None:
        self._ledger, self._artworks = ledger, artworks
        self._key = faucet_key()

    def fund_accounts(self) -> None:
        """Give the accounts that everybody knows what they begin with."""
        self._make_nft(self._key.pubkey(), 0)
        for account in account_keys():
            for _ in range(COLLECTION.granted):
                self.give_nft(account.pubkey())
            self.give(account.pubkey(), GRANTED_LAMPORTS)
            for token in TOKENS:
                self.give(account.pubkey(), token.granted, token)

    def give(self, to: Pubkey, amount: int, token: SolanaToken | None = None) -> Landed:
        """Give to an account.

        Args:
            to: the owner.
            amount: base units; lamports when `token` is None.
            token: one of the world's.

        Raises:
            OverflowError: it is more than there can be.
            NodeFailedError: the transaction failed; the text says why.
        """
        if amount > MAX_U64 or (token is None and amount > FAUCET_LAMPORTS // 2):
            raise OverflowError("it is more than there can be")
        faucet = self._key.pubkey()
        if token is None:
            return self._send([transfer(TransferParams(from_pubkey=faucet, to_pubkey=to, lamports=amount))])
        return self._send(mint_tokens(faucet, Pubkey.from_string(token.mint), to, amount))

    def give_nft(self, to: Pubkey) -> SolanaNft:
        """Make the next NFT of the collection for an account.

        Raises:
            NodeFailedError: the transaction failed; the text says why.
        """
        number = 1
        while self._ledger.account(COLLECTION.key(number).pubkey()) is not None:
            number += 1
        return self._make_nft(to, number)

    def _make_nft(self, to: Pubkey, number: int) -> SolanaNft:
        faucet, key = self._key.pubkey(), COLLECTION.key(number)
        mint = key.pubkey()
        told = TokenMetadata(COLLECTION.title(number), COLLECTION.symbol, f"{self._artworks}/{number}.json")
        packed = packed_metadata(told, mint, faucet, COLLECTION.key(0).pubkey() if number else None)
        metadata = Account(self._ledger.rent(len(packed)), packed, METADATA_PROGRAM)
        instructions = mint_one(faucet, mint, to, self._ledger.rent(MINT_LEN))
        self._send(instructions, (key,), {metadata_address(mint): metadata})
        return SolanaNft(str(mint), told.name)

    def _send(
        self,
        instructions: Sequence[Instruction],
        further: Sequence[Keypair] = (),
        beside: Mapping[Pubkey, Account] = MappingProxyType({}),
    ) -> Landed:
        message = MessageV0.try_compile(self._key.pubkey(), instructions, [], self._ledger.blockhash)
        signers: list[Keypair] = [self._key, *further]
        outcome = self._ledger.send(VersionedTransaction(message, signers), beside)
        if outcome.record is None or outcome.error is not None:
            raise NodeFailedError(f"Solana refused the faucet's transaction: {words_of(outcome.error)}")
        return outcome.record

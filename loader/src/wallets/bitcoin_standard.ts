/** Bitcoin wallets of the Wallet Standard (`bitcoin:connect` and its kin). */
import { unexpected } from "../errors";
import type { Unchecked } from "../protocol";
import { ADDRESS, type Address, type BitcoinWallet } from "./bitcoin_line";
import { fromBase64, toBase64, toHex, toUtf8 } from "./encoding";
import { accountNamed, accountsOn, has, listenStandard, use } from "./standard";

export const CHAINS = /^(bitcoin|bip122):/;

const bytesOf = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw unexpected();
  return value;
};

export function standardWallet(wallet: Unchecked): BitcoinWallet {
  const addressesOf = (accounts: unknown): Address[] =>
    accountsOn(accounts, CHAINS, ADDRESS).map(({ address, publicKey }) => ({
      address,
      publicKey: publicKey?.length ? toHex(Uint8Array.from(publicKey)) : undefined,
    }));
  const accounts = () => accountsOn(wallet.accounts, CHAINS, ADDRESS);

  return {
    async _connect() {
      const answer = has(wallet, "bitcoin:connect")
        ? await use(wallet, "bitcoin:connect", { purposes: ["payment", "ordinals"] })
        : await use(wallet, "standard:connect");
      return addressesOf(answer?.accounts ?? wallet.accounts);
    },
    async _recall() {
      // `bitcoin:connect` has no silent form.
      if (!has(wallet, "standard:connect")) return addressesOf(wallet.accounts);
      const answer = await use(wallet, "standard:connect", { silent: true });
      return addressesOf(answer?.accounts ?? wallet.accounts);
    },
    _now: async () => addressesOf(wallet.accounts),
    async _signMessage(message, address, protocol) {
      const input = { account: accountNamed(accounts(), address), message: toUtf8(message), ...(protocol && { protocol }) };
      const outputs = await use(wallet, "bitcoin:signMessage", input);
      return toBase64(bytesOf(outputs?.[0]?.signature));
    },
    async _signPsbt(psbt, inputs, broadcast) {
      const named = [...new Set(inputs?.map(({ address }) => address))];
      const inputsToSign = named.map((address) => ({
        account: accountNamed(accounts(), address),
        signingIndexes: inputs!.filter((input) => input.address == address).map(({ index }) => index),
      }));
      const input = { psbt: fromBase64(psbt), inputsToSign };
      if (broadcast) {
        const outputs = await use(wallet, "bitcoin:signAndSendTransaction", input);
        return { psbt, txid: outputs?.[0]?.txId };
      }
      const outputs = await use(wallet, "bitcoin:signTransaction", input);
      return { psbt: toBase64(bytesOf(outputs?.[0]?.signedPsbt)) };
    },
    _listen: (changed) => listenStandard(wallet, changed),
    _disconnect: () => use(wallet, "standard:disconnect"),
  };
}

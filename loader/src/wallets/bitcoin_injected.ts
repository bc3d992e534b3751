/** Bitcoin wallets of the convention that `window.unisat` began: one method for each question, PSBTs in hex. */
import type { Unchecked } from "../protocol";
import { fromBase64, fromHex, toBase64, toHex } from "./encoding";
import type { Address, BitcoinWallet } from "./bitcoin_line";
import { page } from "./page";

export function injectedWallet(provider: Unchecked): BitcoinWallet {
  const hold = async (method: "requestAccounts" | "getAccounts"): Promise<Address[]> => {
    const accounts = await provider[method]();
    return (Array.isArray(accounts) ? accounts : []).map((address: string) => ({ address, intention: "payment" }));
  };
  const held = () => hold("getAccounts");

  return {
    _connect: () => hold("requestAccounts"),
    _recall: held,
    _now: held,
    _signMessage: (message, _address, protocol) => provider.signMessage(message, protocol == "bip322" ? "bip322-simple" : "ecdsa"),
    _sendTransfer: (recipient, amount) => provider.sendBitcoin(recipient, amount),
    async _signPsbt(psbt, inputs, broadcast) {
      const options = inputs && { toSignInputs: inputs.map(({ address, index, sighashTypes }) => ({ address, index, sighashTypes })) };
      const signed = await provider.signPsbt(toHex(fromBase64(psbt)), options);
      return { psbt: toBase64(fromHex(signed)), ...(broadcast && { txid: await provider.pushPsbt(signed) }) };
    },
    _listen(changed) {
      for (const event of ["accountsChanged", "networkChanged"]) {
        provider.on?.(event, changed);
        page.life.addEventListener("abort", () => provider.removeListener?.(event, changed));
      }
    },
    _disconnect: async () => provider.disconnect?.(),
  };
}

import type { ChainName } from '@bourse/contract';
import { bitcoinAddress, readBitcoin } from './bitcoin.js';
import { cardanoAddress, readCardano } from './cardano.js';
import { evmAddress, readEvm } from './evm.js';
import { isDestinationTag, readRipple, rippleAddress } from './ripple.js';
import { readTron, tronAddress } from './tron.js';

/** Whether a text is an address of a chain's main network, with a right checksum [CHAIN-001]. */
export const isAddress = (chain: ChainName, text: string): boolean => read(chain, text) !== null;

/**
 * An address in its chain's own form, so that equal addresses are equal texts. An X-address of XRP is kept: it carries
 * its tag. @throws RangeError on a text that is no address.
 */
export function normalAddress(chain: ChainName, text: string): string {
  const address = read(chain, text);
  if (address === null) throw new RangeError(`not an address of ${chain}`);
  return address;
}

/** Whether a payment on a chain may have this memo; only XRP has one, its destination tag. */
export const isMemo = (chain: ChainName, memo: string): boolean =>
  chain === 'ripple' ? isDestinationTag(memo) : memo === '';

/** The destination of a payment, in the chain's own form. */
export interface Destination {
  readonly address: string;
  /** Empty: none. */ readonly memo: string;
}
export type ParsedDestination =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly wrong: 'address' | 'memo' };

/**
 * The destination that an address and a memo entered by a person denote on a network (rules §8.5). An X-address of XRP
 * is split: its tag is the memo, and a separate memo must equal it. A token's own contract is refused: tokens sent
 * there are lost. The memo is optional here: a person's own wallet needs none.
 */
export function destinationOf(
  { chain, contractAddress }: { readonly chain: ChainName; readonly contractAddress: string },
  text: string,
  memo: string,
): ParsedDestination {
  const address = read(chain, text);
  if (address === null || (contractAddress !== '' && address === read(chain, contractAddress)))
    return { ok: false, wrong: 'address' };
  if (memo !== '' && !isMemo(chain, memo)) return { ok: false, wrong: 'memo' };
  if (chain !== 'ripple') return { ok: true, destination: { address, memo } };
  const named = readRipple(address);
  if (!named) return { ok: false, wrong: 'address' };
  if (named.tag !== null && memo !== '' && named.tag !== memo) return { ok: false, wrong: 'memo' };
  return { ok: true, destination: { address: named.account, memo: named.tag ?? memo } };
}

/** Address of a public key: compressed secp256k1, ed25519 for Cardano. @throws Error on bytes that are no key. */
export function addressOfKey(chain: ChainName, publicKey: Uint8Array): string {
  switch (chain) {
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
      return bitcoinAddress(chain, publicKey);
    case 'ethereum':
      return evmAddress(publicKey);
    case 'tron':
      return tronAddress(publicKey);
    case 'ripple':
      return rippleAddress(publicKey);
    case 'cardano':
      return cardanoAddress(publicKey);
  }
}

function read(chain: ChainName, text: string): string | null {
  switch (chain) {
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
      return readBitcoin(chain, text);
    case 'ethereum':
      return readEvm(text);
    case 'tron':
      return readTron(text);
    case 'ripple':
      return readRipple(text) === null ? null : text;
    case 'cardano':
      return readCardano(text);
  }
}

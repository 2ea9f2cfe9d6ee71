import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  encodeAccountID,
  isValidClassicAddress,
  isValidXAddress,
  xAddressToClassicAddress,
} from 'ripple-address-codec';

const TAG = /^(0|[1-9]\d{0,9})$/;
const TAG_MAX = 4_294_967_295;

/** Classic address of a compressed public key. */
export const rippleAddress = (publicKey: Uint8Array): string => encodeAccountID(ripemd160(sha256(publicKey)));

/** A destination tag: an integer of 32 bits, written without leading zeros. */
export const isDestinationTag = (memo: string): boolean => TAG.test(memo) && Number(memo) <= TAG_MAX;

/**
 * Account and tag of a classic or an X-address; the tag is null if the text has none. Null when it is no address of the
 * main network.
 */
export function readRipple(text: string): { readonly account: string; readonly tag: string | null } | null {
  if (isValidClassicAddress(text)) return { account: text, tag: null };
  if (!isValidXAddress(text)) return null;
  const { classicAddress, tag, test } = xAddressToClassicAddress(text);
  return test ? null : { account: classicAddress, tag: tag === false ? null : String(tag) };
}

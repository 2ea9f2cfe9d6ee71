import { getAddress, id, Interface, isAddress, Transaction } from 'ethers';

/** The part of ERC-20 that payments need. */
export const TOKEN = new Interface([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
export const TRANSFER_TOPIC = id('Transfer(address,address,uint256)');

export interface RpcBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly RpcTransaction[];
}
export interface RpcTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly nonce: string;
  readonly value: string;
  readonly input: string;
}
export interface RpcLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
  readonly transactionHash: string;
  readonly removed?: boolean;
}
export interface RpcReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly logs: readonly RpcLog[];
}

export const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
export const numberOf = (value: string): number => Number(BigInt(value));

/**
 * Recipient and amount of a Transfer event; null for events that only share its signature (NFTs have the amount among
 * the topics).
 */
function transferOf(log: RpcLog): { readonly to: string; readonly amount: bigint } | null {
  const to = recipientOf(log);
  return to === null ? null : { to, amount: BigInt(log.data) };
}
/** The recipient of a Transfer event without its amount, which need not be readable; null as in `transferOf`. */
export function recipientOf({ topics, data }: RpcLog): string | null {
  if (topics[0] !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== 66) return null;
  return addressIn(`0x${topics[2]!.slice(26)}`);
}
/** An address of a node's answer with its checksum; null if it is absent or invalid. */
export const addressIn = (text: string | null): string | null =>
  text !== null && isAddress(text) ? getAddress(text) : null;

/** The call that moves an amount of the coin (`contract` empty) or of a token. Addresses with their checksums. */
export const moveCall = (
  to: string,
  contract: string,
  amount: bigint,
): { readonly to: string; readonly value: bigint; readonly data: string } =>
  contract === ''
    ? { to: getAddress(to), value: amount, data: '0x' }
    : { to: getAddress(contract), value: 0n, data: TOKEN.encodeFunctionData('transfer', [getAddress(to), amount]) };

/** The token transfer encoded in these bytes; null for any other call. */
function tokenCall(data: string): { readonly to: string; readonly amount: bigint } | null {
  const call = TOKEN.parseTransaction({ data });
  return call === null || call.name !== 'transfer'
    ? null
    : { to: call.args[0] as string, amount: call.args[1] as bigint };
}

/**
 * Whether a mined transaction of ours has moved its amount: the call did not revert, and a token transfer emitted its
 * event. Some tokens return false instead of reverting; then nothing has moved either.
 */
export function hasMoved({ status, logs }: RpcReceipt, { to, input }: Pick<RpcTransaction, 'to' | 'input'>): boolean {
  if (status !== '0x1') return false;
  const call = input === '0x' ? null : tokenCall(input);
  if (call === null) return true;
  return logs.some((log) => {
    const transfer = log.address.toLowerCase() === to?.toLowerCase() ? transferOf(log) : null;
    return transfer !== null && transfer.to === call.to && transfer.amount === call.amount;
  });
}

export const nonceSpend = (address: string, nonce: number): string => `nonce:${address}:${nonce}`;
/** The nonce in a spend of this address; null for other spends. */
export function nonceOf(spend: string, address: string): number | null {
  const match = /^nonce:([^:]+):(\d+)$/.exec(spend);
  return match !== null && match[1] === address ? Number(match[2]) : null;
}

/** The network's fee for a mined transaction. */
export const feeOf = ({ gasUsed, effectiveGasPrice }: RpcReceipt): bigint =>
  BigInt(gasUsed) * BigInt(effectiveGasPrice);

/** Maximum fee of a signed transaction, without the amount it moves. */
export const highestCost = (tx: Transaction): bigint => tx.gasLimit * (tx.maxFeePerGas ?? 0n);

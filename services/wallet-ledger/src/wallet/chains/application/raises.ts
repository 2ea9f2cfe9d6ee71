import { ChainUnavailable, HotWalletShort, type Chain, type PaymentStatus, type Signature } from './chain.js';

/** When and how often the fee of a signed payment or sweep is raised. Real time, ms. */
export const RAISES = {
  /** It is in no block after this time. */
  afterMs: 10 * 60_000,
  /** Signatures, the first included; then it waits. */
  signaturesMax: 8,
} as const;

/**
 * Whether the latest signature of a payment in no block needs a higher fee. Sends its bytes again when the node does
 * not have them: a node whose minimum has risen above the fee refuses them, and only a replacement can be mined then.
 *
 * @throws the refusal while it is early, and when a mined rival explains it: a replacement spends the same.
 */
export async function needsHigherFee(
  chain: Pick<Chain, 'send' | 'conflictingSpend'>,
  signatures: readonly Signature[],
  { state }: PaymentStatus,
  isLate: boolean,
): Promise<boolean> {
  if (state !== 'unknown') return isLate;
  const latest = signatures.at(-1) as Signature;
  try {
    await chain.send(latest);
    return false;
  } catch (error) {
    if (!isLate || error instanceof ChainUnavailable || error instanceof HotWalletShort) throw error;
    const own = signatures.map(({ txId }) => txId);
    if ((await chain.conflictingSpend(latest.spends, own, 1)) !== null) throw error;
    return true;
  }
}

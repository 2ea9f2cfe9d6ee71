import type { LedgerReply } from '@bourse/events';
import { recordOf, Refused, type FinalAnswer } from '@bourse/platform';

/**
 * The outcome is unknown this long after a command can no longer be accepted: the ledger's reply may be on its way
 * (invariants §2.1).
 */
const WAIT_BEYOND_VALID_MS = 500;

/** How long a call waits for the outcome of a command that is valid until then, ms. `now` is real time. */
export const patienceFor = (validUntil: number, now: number): number =>
  Math.max(0, validUntil - now) + WAIT_BEYOND_VALID_MS;

/** The outcome is not known in time: 202, and the caller asks again with the same id (api §1.4). */
export const pending = (): Refused => new Refused('common.processing', {}, { type: 'pending', status: 202 });

/** Whether the refusal is about missing money of the house, not of the person. */
export const isHouseShort = ({ key, params }: Refused): boolean =>
  key === 'balance.insufficient' && String(params['account'] ?? '').startsWith('h.');

/** A final answer as the reply channel carries it. */
export function replyOf(commandId: string, answer: FinalAnswer, repeated = true): LedgerReply {
  return { commandId, ok: !(answer instanceof Refused), repeated, answer: recordOf(answer) as LedgerReply['answer'] };
}

/**
 * Returns the first stored answer of these commands: a key identifies one command for each call that it may have been
 * used with. Null: none has an answer. @throws AskUnavailable when none has and one of them is not decided yet.
 */
export async function firstReply(
  commandIds: readonly string[],
  find: (commandId: string) => Promise<LedgerReply | null>,
): Promise<LedgerReply | null> {
  const replies = await Promise.allSettled(commandIds.map((commandId) => find(commandId)));
  for (const reply of replies) if (reply.status === 'fulfilled' && reply.value !== null) return reply.value;
  for (const reply of replies) if (reply.status === 'rejected') throw reply.reason;
  return null;
}

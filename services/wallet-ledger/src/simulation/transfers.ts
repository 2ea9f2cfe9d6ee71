import type { SimulatedEnd, SimulatedFields, SimulatedIntentKind, SimulatedPerson } from '@bourse/ledger-client';
import { readFields } from '@bourse/platform';
import { TransferBody } from '../ledger/application/fields.js';
import type { TransferBetweenAccounts } from '../ledger/application/transfer.js';

/** A transfer between accounts of one person; some are of more than there is. What leaves lever, lever-risk draws. */
export function drawTransfer({ random }: SimulatedPerson): SimulatedFields {
  const [from, to] = random.pick([
    ['change', 'legal'],
    ['legal', 'change'],
    ['change', 'lever'],
  ] as const);
  return {
    currency_id: String(random.pick([1, 2, 3])),
    from_field: from,
    to_field: to,
    number: random.chance(0.1) ? '1000000' : (random.next() * 3 + 0.00000001).toFixed(8),
  };
}

export const TRANSFER: SimulatedIntentKind<{ readonly transfer: TransferBetweenAccounts }> = {
  run: ({ transfer }, user, fields, context) => transfer.execute(user, readFields(TransferBody, fields), context),
  otherFields: drawTransfer,
};

/** I6: each transfer that somebody was told of has happened once, and none of which nobody was told. */
export function checkTransfers({ intents, journals }: SimulatedEnd): string[] {
  const problems: string[] = [];
  const effects = new Map<string, number>();
  for (const { causeType, causeId } of journals)
    if (causeType === 'transfer') effects.set(causeId, (effects.get(causeId) ?? 0) + 1);
  const claimed = new Set<string>();
  for (const { commandId, kind, id } of intents) {
    if (kind !== 'transfer' || id === null) continue;
    if (effects.get(id) !== 1)
      problems.push(`I6 ${commandId} was ok and has ${effects.get(id) ?? 0} effects (transfer ${id})`);
    if (claimed.has(id)) problems.push(`I6 transfer ${id} is the answer to two intents`);
    claimed.add(id);
  }
  for (const id of effects.keys())
    if (!claimed.has(id)) problems.push(`I6 transfer ${id} has happened and nobody was told so`);
  return problems;
}

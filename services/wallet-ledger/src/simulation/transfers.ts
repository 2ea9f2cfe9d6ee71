import type { SimulatedEnd, SimulatedFields, SimulatedIntentKind, SimulatedPerson } from '@bourse/ledger-client';
import { readFields } from '@bourse/platform';
import { TransferBody } from '../ledger/application/fields.js';
import type { TransferBetweenAccounts } from '../ledger/application/transfer.js';

const ROUTES = [
  ['change', 'legal'],
  ['legal', 'change'],
  ['change', 'lever'],
  ['lever', 'change'],
] as const;
type Route = (typeof ROUTES)[number];
/** The largest transfer out of lever: about the whole first balance. */
const OUT_MAX = 3_000;

/** A transfer between accounts of one person; some exceed the balance. lever-risk decides transfers out of lever. */
export const drawTransfer = ({ random }: SimulatedPerson): SimulatedFields => transferOf(random, random.pick(ROUTES));

/** Another transfer under the same key, decided by the same service: each service stores the keys of its own calls. */
function otherTransfer({ random, last }: SimulatedPerson): SimulatedFields {
  const isOut = last?.fields['from_field'] === 'lever';
  return transferOf(random, random.pick(ROUTES.filter(([from]) => (from === 'lever') === isOut)));
}

function transferOf(random: SimulatedPerson['random'], [from, to]: Route): SimulatedFields {
  if (from === 'lever')
    return {
      currency_id: random.chance(0.9) ? '3' : '1',
      from_field: from,
      to_field: to,
      number: (random.next() * (random.chance(0.5) ? OUT_MAX : OUT_MAX / 10) + 0.00000001).toFixed(8),
    };
  return {
    currency_id: String(random.pick([1, 2, 3])),
    from_field: from,
    to_field: to,
    number: random.chance(0.1) ? '1000000' : (random.next() * 3 + 0.00000001).toFixed(8),
  };
}

export const TRANSFER: SimulatedIntentKind<{ readonly transfer: TransferBetweenAccounts }> = {
  run: ({ transfer }, user, fields, context) => transfer.execute(user, readFields(TransferBody, fields), context),
  otherFields: otherTransfer,
};

/** I6: each confirmed transfer has happened once, and no transfer has happened without a confirmation. */
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
    if (!claimed.has(id)) problems.push(`I6 transfer ${id} has happened without a confirmation`);
  return problems;
}

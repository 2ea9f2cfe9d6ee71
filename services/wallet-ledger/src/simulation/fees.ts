import { FeesPaidV1, TOPICS, type Message } from '@bourse/events';
import type { SimulatedEnd } from '@bourse/ledger-client';
import { toUnits } from '@bourse/money';
import type { OutboxRow } from '@bourse/persistence';
import type { Currencies } from '../ledger/application/currencies.js';
import type { JournalRow } from '../ledger/application/ports.js';
import type { PackedEntry } from '../ledger/application/writer/entries.js';

/** Causes that move fees of the house only. */
const OF_HOUSE = new Set(['house_purse', 'rebate', 'seed']);

/** I1: the published fees equal the amounts that `h.fees` got from people, each entry once [TEAM-003]. */
export function checkFees({ server }: SimulatedEnd, currencies: Currencies): string[] {
  const scale = (currency: number): number => currencies.scaleOf(currency) ?? 0;
  const sums = new Map<string, bigint>();
  const add = (key: string, units: bigint): unknown => sums.set(key, (sums.get(key) ?? 0n) + units);
  for (const row of server.rows<JournalRow>('ledger.journal')) {
    if (OF_HOUSE.has(row.causeType) || row.owner > 0) continue;
    for (const [account, currency, , amount] of JSON.parse(row.entries) as PackedEntry[])
      if (account === 'h.fees') add(`${row.id} ${currency}`, toUnits(amount, scale(currency)));
  }
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { payload } of server.rows<OutboxRow>('ledger.outbox').filter(({ topic }) => topic === TOPICS.ledgerFacts))
    for (const { type, body } of JSON.parse(payload) as Message[]) {
      if (type !== FeesPaidV1.name) continue;
      for (const { journal, payer, currency, amount } of FeesPaidV1.schema.parse(body).fees) {
        add(`${journal} ${currency}`, -toUnits(amount, scale(currency)));
        const entry = `${journal} ${payer} ${currency}`;
        if (seen.has(entry)) problems.push(`I1 the fee of ${entry} was published twice`);
        seen.add(entry);
      }
    }
  for (const [key, units] of sums)
    if (units !== 0n) problems.push(`I1 of the fees of ${key}, ${units} units were not published`);
  return problems;
}

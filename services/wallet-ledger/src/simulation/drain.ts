// Empties accounts of the house in a run with `dry`, and fills them again, as two operators do by `house/fund`.
import type { Leg } from '@bourse/events';
import type { SimulatedOperator } from '@bourse/ledger-client';
import type { Log } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { send } from './first-money.js';
import type { StoredCommand } from './writer-store.js';
import type { AccountState } from '../ledger/domain/journal.js';

type Desk = SimulatedOperator<{ readonly log: Log }>;
type ScaleOf = (currency: number) => number;

const [DRAIN, REFILL] = ['drain', 'refill'] as const;
const [CAPITAL, OUTSIDE] = ['h.capital', 'h.outside'] as const;
/** Pause between two sweeps: the next one takes what losses have brought in. */
const SWEEP_MS = 150;

/** Takes out all that the house has in the accounts, by its capital, again and again. */
export async function drain(desk: Desk, scaleOf: ScaleOf, until: () => boolean): Promise<void> {
  await desk.pause(desk.loadMs / 3);
  for (let sweep = 0; !until(); sweep++) {
    for (const { owner, account, currency, available } of balancesOf(desk)) {
      const id = [DRAIN, sweep, owner, account, currency, available].join(':');
      const amount = formatUnits(available, scaleOf(currency));
      await fund(desk, id, -1 - owner, [
        { from: account, to: CAPITAL, currency, amount },
        { from: CAPITAL, to: OUTSIDE, currency, amount },
      ]);
    }
    await desk.pause(SWEEP_MS);
  }
}

/** Gives the accounts back all that was taken out of them, in the partitions where it was. */
export async function refill(desk: Desk, scaleOf: ScaleOf): Promise<void> {
  const taken = desk.server
    .rows<StoredCommand>('ledger.command')
    .filter(({ id, answer }) => id.startsWith(`${DRAIN}:`) && answer.type === 'ok');
  for (const { id } of taken) {
    const [, , owner, account, currency, units] = id.split(':') as [string, string, string, string, string, string];
    const amount = formatUnits(BigInt(units), scaleOf(Number(currency)));
    await fund(desk, id.replace(DRAIN, REFILL), -1 - Number(owner), [
      { from: OUTSIDE, to: CAPITAL, currency: Number(currency), amount },
      { from: CAPITAL, to: account, currency: Number(currency), amount },
    ]);
  }
}

const balancesOf = ({ server, drained }: Desk): AccountState[] =>
  server
    .rows<AccountState>('ledger.balance')
    .filter(({ owner, available }) => owner < 0 && available > 0n)
    .filter((row) => drained.some(({ account, currency }) => account === row.account && currency === row.currency));

const fund = (desk: Desk, id: string, partition: number, legs: Leg[]): Promise<void> => {
  const journals = [{ id, causeType: 'house_fund', causeId: id, legs }];
  const command = { commandId: id, issuer: 'operator' as const, userId: desk.operator, journals };
  return send(desk, partition, { ...command, answer: { type: 'ok' } });
};

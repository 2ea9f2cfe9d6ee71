import { available, INTERNAL_CURRENCIES, LedgerCommandV1, ledgerPartition, TOPICS, type Leg } from '@bourse/events';
import type { SimulatedOperator } from '@bourse/ledger-client';
import type { Log } from '@bourse/messaging';

/** Each person's first balances, in decimal text by currency. */
export const PERSON_BALANCES: Readonly<Record<number, string>> = { 1: '5', 2: '60', 3: '200000' };
/** Balance of the house for a product that is not used here, all of it in one partition at first. */
export const REBALANCED_BALANCE = { account: 'h.insurance', currency: 3, amount: '900' } as const;
/** Further balances of each person in accounts of products, and of the house for these products. */
export const PRODUCT_BALANCES = [
  { account: 'micro', currency: 3, amount: '2000' },
  { account: 'lever', currency: 3, amount: '3000' },
  { account: 'legal', currency: 3, amount: '6000' },
  { account: 'merchant', currency: 3, amount: '3000' },
  { account: 'acceptor', currency: 3, amount: '600' },
  { account: 'quota', currency: INTERNAL_CURRENCIES.CSH.id, amount: '400' },
] as const;
export const OTHER_HOUSE_BALANCES = [
  { account: 'h.micro', currency: 3, amount: '60000' },
  { account: 'h.savings', currency: 3, amount: '6000' },
  { account: 'h.points', currency: 3, amount: '200' },
  { account: 'h.lever', currency: 3, amount: '400000' },
  { account: 'h.lever_fund', currency: 3, amount: '400000' },
  // A fee returned after its rebate was paid can exceed the fees collected, where these are few.
  { account: 'h.fees', currency: 3, amount: '10' },
] as const;

/** Credits everybody's first balances. */
export async function giveFirstMoney(desk: SimulatedOperator<{ readonly log: Log }>): Promise<void> {
  const { users, operator, config } = desk;
  const toUser = (user: number): Promise<void> => {
    const legs = Object.entries(PERSON_BALANCES).map(([currency, amount]) => ({
      from: 'h.outside',
      to: available(user, 'change'),
      currency: Number(currency),
      amount,
    }));
    for (const { account, currency, amount } of PRODUCT_BALANCES)
      legs.push({
        from: account === 'quota' ? 'h.quota' : 'h.outside',
        to: available(user, account),
        currency,
        amount,
      });
    return give(desk, user, ledgerPartition(user, config.ledgerPartitions), legs);
  };
  const ofHouse = [REBALANCED_BALANCE, ...OTHER_HOUSE_BALANCES].map(({ account, currency, amount }) => ({
    from: 'h.outside',
    to: account,
    currency,
    amount,
  }));
  const toHouse = (): Promise<void> => give(desk, operator, 0, ofHouse);
  await Promise.all([...users.map(toUser), toHouse()]);
}

const give = (
  desk: SimulatedOperator<{ readonly log: Log }>,
  user: number,
  partition: number,
  legs: Leg[],
): Promise<void> =>
  send(desk, partition, {
    commandId: `seed:${user}`,
    issuer: 'seed',
    userId: user,
    answer: { type: 'ok' },
    journals: [{ id: `seed:${user}`, causeType: 'seed', causeId: String(user), legs }],
  });

/** Sends the command until it is decided. */
export async function send(
  desk: SimulatedOperator<{ readonly log: Log }>,
  partition: number,
  command: Parameters<typeof LedgerCommandV1.encode>[0] & { readonly commandId: string },
): Promise<void> {
  const message = LedgerCommandV1.encode(command);
  while (!desk.server.row('ledger.command', command.commandId)) {
    await desk.inProcess(({ log }) => log.send(TOPICS.ledgerCommands, partition, message));
    await desk.pause(100);
  }
}

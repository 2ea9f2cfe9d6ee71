import { DEMO_HOUSE, DEMO_PEOPLE, SEED_CURRENCIES } from '@bourse/contract';
import { available, type Leg, type Product } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { divide, formatUnits, toUnits } from '@bourse/money';

/** A seed command, booked once under its id. */
export interface SeedCommand {
  readonly commandId: string;
  readonly order: LedgerOrder;
}

/**
 * Balances of a fresh dev install (rules §17), all from `h.outside`: one journal per person, in that person's
 * partition, and one per partition for the house. The house's money is spread over all partitions because a product
 * pays from its customer's partition.
 */
export function seedCommands(partitions: number): SeedCommand[] {
  const commands: SeedCommand[] = [];
  for (const { id, balances } of DEMO_PEOPLE) {
    const legs = Object.entries(balances).map(([name, amount]): Leg => {
      const [product = '', coin = ''] = name.split('.');
      return { from: 'h.outside', to: available(id, product as Product), currency: currencyOf(coin).id, amount };
    });
    if (legs.length > 0) commands.push(command(`seed:${id}`, id, legs));
  }
  const [anyone] = DEMO_PEOPLE;
  for (let partition = 0; partition < partitions; partition++) {
    const legs = Object.entries(DEMO_HOUSE).flatMap(([account, amounts]) =>
      Object.entries(amounts).map(([coin, amount]): Leg => {
        const { id, scale } = currencyOf(coin);
        const whole = toUnits(amount, scale);
        const share = divide(whole, BigInt(partitions), 'down');
        return {
          from: 'h.outside',
          to: account,
          currency: id,
          amount: formatUnits(partition === 0 ? whole - share * BigInt(partitions - 1) : share, scale),
        };
      }),
    );
    commands.push(command(`seed:house:${partition}`, anyone?.id ?? 1, legs, partition));
  }
  return commands;
}

/** Without a partition the command is booked in the user's partition. */
function command(id: string, userId: number, legs: Leg[], partition?: number): SeedCommand {
  return {
    commandId: id,
    order: {
      issuer: 'seed',
      userId,
      onBehalfOf: null,
      partition,
      journals: [{ id, causeType: 'seed', causeId: id.slice('seed:'.length), legs }],
      answer: { type: 'ok' },
    },
  };
}

function currencyOf(coin: string): { id: number; scale: number } {
  const currency = SEED_CURRENCIES.find(({ name }) => name === coin);
  if (!currency) throw new Error(`invariant: the demo data names the unknown coin ${coin}`);
  return currency;
}

import type { SimulatedEnd, SimulatedView, SimulatedWatch } from '@bourse/ledger-client';
import { toUnits } from '@bourse/money';
import type { Currencies } from '../ledger/application/currencies.js';
import { mayGoNegative } from '../ledger/domain/index.js';
import { REBALANCED_BALANCE, OTHER_HOUSE_BALANCES, PRODUCT_BALANCES, PERSON_BALANCES } from './first-money.js';
import { accountOf, type StoredCommand } from './writer-store.js';
import type { AccountState, HoldState } from '../ledger/domain/journal.js';

const EXECUTED_LATE_MS_MAX = 10_000;

/**
 * Checks each commit as it happens: the sum of all money never changes, no account is overdrawn, no command takes
 * effect long after its limit.
 */
export class MoneyWatch implements SimulatedWatch {
  readonly problems: string[] = [];
  private readonly sums = new Map<number, bigint>();
  private readonly balances = new Map<string, bigint>();

  constructor(
    private readonly now: () => number,
    private readonly limitOf: (commandId: string) => number | undefined,
  ) {}

  commit(writes: ReadonlyMap<string, object | null>): void {
    const touched = new Set<number>();
    for (const [name, row] of writes) {
      const tab = name.indexOf('\n');
      const table = name.slice(0, tab);
      if (table === 'ledger.balance' && row) {
        const { owner, account, currency, available, held } = row as AccountState;
        const before = this.balances.get(name) ?? 0n;
        this.balances.set(name, available + held);
        this.sums.set(currency, (this.sums.get(currency) ?? 0n) + available + held - before);
        touched.add(currency);
        if (held < 0n || (available < 0n && !(owner < 0 && mayGoNegative(account, currency))))
          this.problems.push(`I2 ${owner}.${account}.${currency} has ${available} available and ${held} held`);
      } else if (table === 'ledger.command' && row) {
        this.decided(name, row as StoredCommand);
      }
    }
    for (const currency of touched)
      if (this.sums.get(currency) !== 0n)
        this.problems.push(`I1 currency ${currency} sums to ${this.sums.get(currency)} after a commit`);
  }

  private decided(name: string, { id, answer }: StoredCommand): void {
    const limit = this.limitOf(id);
    if (name.endsWith('\tagain')) this.problems.push(`I6 command ${id} was decided twice`);
    if (
      limit !== undefined &&
      answer.type === 'ok' &&
      answer.extra?.['repeated'] !== 1 &&
      this.now() > limit + EXECUTED_LATE_MS_MAX
    )
      this.problems.push(`I6 command ${id} took effect ${Math.round(this.now() - limit)} ms after its limit`);
  }
}

/** I1, I2, I3: sums, overdrafts, and holds against the open objects of all services. */
export function checkMoney({ server, holds: wanted }: SimulatedEnd): string[] {
  const problems: string[] = [];
  const sums = new Map<number, bigint>();
  const heldBy = new Map<string, bigint>();
  const holds = server.rows<HoldState>('ledger.hold');
  for (const row of holds) heldBy.set(accountOf(row), (heldBy.get(accountOf(row)) ?? 0n) + row.remaining);
  const clearing = new Map<number, bigint>();
  for (const row of server.rows<AccountState>('ledger.balance')) {
    sums.set(row.currency, (sums.get(row.currency) ?? 0n) + row.available + row.held);
    if (row.account === 'h.clearing') clearing.set(row.currency, (clearing.get(row.currency) ?? 0n) + row.available);
    if (row.held !== (heldBy.get(accountOf(row)) ?? 0n))
      problems.push(`I3 ${accountOf(row)} holds ${row.held}, its holds keep ${heldBy.get(accountOf(row)) ?? 0n}`);
    heldBy.delete(accountOf(row));
  }
  for (const [currency, sum] of sums) if (sum !== 0n) problems.push(`I1 currency ${currency} sums to ${sum}`);
  for (const [currency, sum] of clearing)
    if (sum !== 0n) problems.push(`I4 clearing of currency ${currency} has ${sum} when all is quiet`);
  for (const account of heldBy.keys()) problems.push(`I3 a hold has no account ${account}`);
  const needed = new Map(wanted);
  // An object may have several holds under one name: of two people, or in two currencies.
  const kept = new Map<string, bigint>();
  for (const { hold, remaining } of holds) kept.set(hold, (kept.get(hold) ?? 0n) + remaining);
  for (const [hold, remaining] of kept) {
    if (needed.get(hold) !== remaining)
      problems.push(`I3 hold ${hold} keeps ${remaining}, its order needs ${needed.get(hold) ?? 'nothing'}`);
    needed.delete(hold);
  }
  for (const [hold, amount] of needed) problems.push(`I3 order behind ${hold} needs ${amount} and holds nothing`);
  return problems;
}

/**
 * I1: the balances that everybody must have, computed from the first balances and the amounts moved by objects of the
 * services.
 */
export function checkExpected({ server, users, moves }: SimulatedEnd, currencies: Currencies): string[] {
  const want = new Map<string, bigint>();
  const add = (whose: number | string, currency: number, units: bigint): void => {
    want.set(`${whose}.${currency}`, (want.get(`${whose}.${currency}`) ?? 0n) + units);
  };
  for (const user of users)
    for (const [currency, amount] of Object.entries(PERSON_BALANCES))
      add(user, Number(currency), toUnits(amount, currencies.scaleOf(Number(currency)) ?? 0));
  for (const user of users)
    for (const { currency, amount } of PRODUCT_BALANCES)
      add(user, currency, toUnits(amount, currencies.scaleOf(currency) ?? 0));
  for (const { whose, currency, units } of moves) add(whose, currency, units);
  // House accounts that only objects of services move.
  const counted = new Set<number | string>(['h.fees', ...moves.map(({ whose }) => whose)]);
  for (const { account, currency, amount } of OTHER_HOUSE_BALANCES)
    if (counted.has(account)) add(account, currency, toUnits(amount, currencies.scaleOf(currency) ?? 0));
  const have = new Map<string, bigint>();
  for (const row of server.rows<AccountState>('ledger.balance')) {
    if (row.owner <= 0 && !counted.has(row.account)) continue;
    const whose = row.owner > 0 ? row.owner : row.account;
    const key = `${whose}.${row.currency}`;
    have.set(key, (have.get(key) ?? 0n) + row.available + row.held);
  }
  return [...new Set([...want.keys(), ...have.keys()])]
    .filter((key) => (want.get(key) ?? 0n) !== (have.get(key) ?? 0n))
    .map((key) => `I1 ${key} has ${have.get(key) ?? 0n} instead of ${want.get(key) ?? 0n}`);
}

/** I1: the house's balance for a product stays the same, and no partition has less than half of an equal share. */
export function checkHouseBalances({ server, config }: SimulatedView<unknown>, currencies: Currencies): string[] {
  const { account, currency, amount } = REBALANCED_BALANCE;
  const whole = toUnits(amount, currencies.scaleOf(currency) ?? 0);
  const parts = Array.from(
    { length: config.ledgerPartitions },
    (_, partition) =>
      server
        .rows<AccountState>('ledger.balance')
        .find((row) => row.owner === -1 - partition && row.account === account && row.currency === currency)
        ?.available ?? 0n,
  );
  const sum = parts.reduce((all, units) => all + units, 0n);
  const problems = sum === whole ? [] : [`I1 the house has ${sum} of ${whole} in ${account}`];
  for (const [partition, units] of parts.entries())
    if (units * 2n < whole / BigInt(config.ledgerPartitions))
      problems.push(`I1 ${account} of partition ${partition} has ${units} of ${whole}: the account was not rebalanced`);
  return problems;
}

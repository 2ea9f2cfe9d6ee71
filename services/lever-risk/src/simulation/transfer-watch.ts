// Checks at every commit that a transfer out leaves the margin ratio of rules §3.
import type { SimulatedWatch } from '@bourse/ledger-client';
import { formatUnits, pow10, toUnits } from '@bourse/money';
import { counts, STATUS, type Position } from '../domain/position.js';
import { BALANCE, type BalanceRow } from './settlement-watch.js';
import { ACCOUNT, POSITION, SCHEMA, type Account } from './stores.js';

/** Equity that a transfer must leave, in percent of the initial margins. */
const LEFT_PERCENT = 150n;
const SAGA = `${SCHEMA}.saga`;

interface SagaRow {
  readonly name: string;
  readonly object: string;
  readonly note: string;
}
interface Leaving {
  readonly userId: number;
  readonly currency: number;
  readonly units: bigint;
}

/** Recomputes at each commit of a transfer out of lever the equity that it leaves. */
export class TransferWatch implements SimulatedWatch {
  readonly problems: string[] = [];
  private readonly positions = new Map<string, Position>();
  private readonly balances = new Map<string, bigint>();
  /** Decided, outcome still unknown. */
  private readonly leaving = new Map<string, Leaving>();

  commit(writes: ReadonlyMap<string, object | null>): void {
    for (const [name, row] of writes) {
      const table = name.slice(0, name.indexOf('\n'));
      if (table === POSITION) {
        if (row) this.positions.set(name, row as Position);
        else this.positions.delete(name);
      } else if (table === BALANCE && row) {
        const { owner, account, currency, available } = row as BalanceRow;
        if (account === 'lever') this.balances.set(`${owner} ${currency}`, available);
      } else if (table === SAGA && !row) this.leaving.delete(name);
    }
    for (const [name, row] of writes)
      if (row && name.startsWith(`${SAGA}\n`) && !this.leaving.has(name)) this.decided(name, row as SagaRow, writes);
  }

  private decided(
    name: string,
    { name: saga, object, note }: SagaRow,
    writes: ReadonlyMap<string, object | null>,
  ): void {
    if (saga !== 'lever.out') return;
    const { currency, amount, marks } = JSON.parse(note) as {
      currency: number;
      amount: string;
      marks: Readonly<Record<string, string>>;
    };
    const account = [...writes]
      .filter(([key, row]) => row && key.startsWith(`${ACCOUNT}\n`))
      .map(([, row]) => row as Account)
      .find(({ quote }) => quote === currency);
    if (account?.inFlight !== object) {
      this.problems.push(`I3 ${object} leaves lever and is not in flight in its account`);
      return;
    }
    const { userId } = account;
    const before = [...this.leaving.values()].filter((one) => one.userId === userId && one.currency === currency);
    const all = [...this.positions.values()].filter((one) => one.userId === userId && one.quote === currency);
    const open = all.filter(counts);
    const [first] = open;
    if (!first) return;
    const units = toUnits(amount, first.scales.quoteScale);
    this.leaving.set(name, { userId, currency, units });
    const gone: bigint = before.reduce((sum, one) => sum + one.units, units as bigint);
    const owed = open.reduce((sum, { unpaidOvernightFee }) => sum + unpaidOvernightFee, 0n);
    const balance = (this.balances.get(`${userId} ${currency}`) ?? 0n) - gone;
    let equity = balance > owed ? balance - owed : balance < 0n ? balance : 0n;
    let origin = 0n;
    for (const position of open) {
      const mark = marks[position.pairId];
      if (position.status === STATUS.open && mark === undefined) {
        this.problems.push(`I3 ${object} was decided without a price of pair ${position.pairId}`);
        return;
      }
      equity += position.margin + profitsAt(position, BigInt(mark ?? 0));
      origin += position.initialMargin;
    }
    if (equity * 100n < origin * LEFT_PERCENT)
      this.problems.push(
        `I3 ${object} of ${amount} leaves ${userId} ${formatUnits(equity, first.scales.quoteScale)} for margins of ` +
          formatUnits(origin, first.scales.quoteScale),
      );
  }
}

/** Price difference times number, rounded in favour of the account. */
function profitsAt({ status, scales, direction, price, lots, closeProfits }: Position, mark: bigint): bigint {
  if (status !== STATUS.open) return closeProfits;
  const { priceScale, numberScale, quoteScale } = scales;
  const scaled = (direction === 'long' ? mark - price : price - mark) * lots * pow10(quoteScale);
  return scaled / pow10(priceScale + numberScale) + (scaled > 0n ? 1n : 0n);
}

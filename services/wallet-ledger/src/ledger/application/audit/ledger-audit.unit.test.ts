import { beforeEach, describe, expect, test } from '@jest/globals';
import { LedgerAudit } from './ledger-audit.js';
import { hashOf, type PackedEntry } from '../writer/entries.js';
import { AuditReads, type AuditedRow, type CurrencyTotals, type JournalSpan, type Snapshot } from '../ports.js';
import { LineSums } from './audit-sums.js';
import { toUnits } from '@bourse/money';

const USDT = 3;
const STREAM = 'spot.0>ledger.commands/0';

/** Journals of trades as the table keeps them, for as many instances as read them. */
class Journals extends AuditReads {
  readonly rows: AuditedRow[] = [];
  private readonly balances = new Map<number, bigint>();
  private readonly sums = new LineSums();

  /** Trade `number`: one side pays a unit, the other gets it. */
  settle(number: number): void {
    for (const [part, owner, amount] of [
      [0, 100_001, -1n],
      [1, 100_002, 1n],
    ] as const) {
      const after = (this.balances.get(owner) ?? 0n) + amount;
      this.balances.set(owner, after);
      const entry: PackedEntry = ['change', USDT, 'a', `${amount}`, `${after}`, number, 0, null, 0];
      const row = {
        partition: 0,
        number,
        part,
        owner,
        id: `trade:BTC/USDT:${number}`,
        causeType: 'trade',
        causeId: `BTC/USDT-${number}`,
        at: 0,
        entries: JSON.stringify([entry]),
      };
      const previousHash = this.rows.at(-1)?.hash ?? '';
      this.rows.push({ ...row, previousHash, hash: hashOf(previousHash, row) });
      this.sums.add(owner, 'change', USDT, 'a', toUnits(String(amount), 18));
    }
  }

  inSnapshot<T>(look: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const rows = [...this.rows];
    const last = rows.at(-1)?.number ?? 0;
    const read = (span: JournalSpan): AuditedRow[] =>
      rows.filter(({ number }) => number > span.from && number <= span.to);
    const [available, held, a, h, byName] = (this.sums.image().get(USDT) ?? '0 0 0 0 0').split(' ');
    const totals = [
      { currency: USDT, available: available!, held: held!, lines: [Number(a), Number(h)], byName: byName! },
    ] as unknown as readonly CurrencyTotals[];
    return look({
      flow: () => Promise.resolve({ heads: {}, positions: { 'ledger.writer': { [STREAM]: last } }, deadLetters: 0 }),
      accounts: () => Promise.resolve([]),
      clearing: () => Promise.resolve([]),
      totals: () => Promise.resolve(totals),
      overdrawn: () => Promise.resolve(false),
      holdMismatch: () => Promise.resolve(null),
      bounds: () => Promise.resolve({ first: Math.min(1, last), last }),
      journals: (span) => Promise.resolve(read(span)),
      fingerprint: (span) => Promise.resolve(JSON.stringify(read(span))),
      holdLines: () => Promise.resolve([]),
    });
  }
  holdDigests(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}

describe('several instances of the ledger [AUDIT-027]', () => {
  let journals: Journals;
  let [one, other]: LedgerAudit[] = [];
  const asked = (until: number) => ({ symbol: 'BTC/USDT', from: 1, to: until, until: { [STREAM]: until } });

  beforeEach(() => {
    journals = new Journals();
    [one, other] = [new LedgerAudit(journals, 1), new LedgerAudit(journals, 1)];
    for (const number of [1, 2, 3]) journals.settle(number);
  });

  test('one without a round yet returns the same trades as one with a round', async () => {
    expect((await one!.run()).filter(({ ok }) => !ok)).toEqual([]);
    const told = await one!.trades(asked(3));
    expect(told).toMatchObject([{ from: 1, sides: 6 }]);
    expect(await other!.trades(asked(3))).toEqual(told);
  });

  test('an instance whose round precedes the newest trades reads them before it answers', async () => {
    await other!.run();
    journals.settle(4);
    await one!.run();
    expect(await other!.trades(asked(4))).toEqual(await one!.trades(asked(4)));
    journals.settle(5);
    const each = { ...asked(5), each: true };
    expect(await other!.trades(each)).toHaveLength(5);
  });

  test('gives no answer up to positions that are not written yet, or from wrong journals', async () => {
    await expect(other!.trades(asked(4))).rejects.toThrow('not verified');
    journals.rows[3] = { ...journals.rows[3]!, entries: journals.rows[3]!.entries.replace('"1"', '"2"') };
    await expect(one!.trades(asked(3))).rejects.toThrow('not verified');
  });
});

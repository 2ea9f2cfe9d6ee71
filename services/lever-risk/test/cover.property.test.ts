import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { equityOf, marginRatio, profitsAt, transferable } from '@bourse/formulas';
import { accountOf } from '../src/domain/account.js';
import { ClosePlan } from '../src/domain/close-plan.js';
import { coverFor } from '../src/domain/cover.js';
import { chargeOvernightFee, payableOvernightFees } from '../src/domain/overnight-fees.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { settle } from '../src/domain/settlement.js';
import { positionWith } from './positions.js';

const PRICE = 6_000_000n;
const START = 10n ** 11n;
const TRANSFER_RATE = 150_000_000n;
const OPEN_RATE = 120n * 100n;

/** A random act. Users 0 and 1 collude: only their joint result counts. */
const ACT = fc.record({
  act: fc.constantFrom(
    'open',
    'open',
    'hedge',
    'close',
    'part',
    'stop',
    'batch',
    'in',
    'out',
    'price',
    'night',
    'stale',
  ),
  who: fc.constantFrom(0, 1),
  pairId: fc.constantFrom(1, 2),
  direction: fc.constantFrom('long' as const, 'short' as const),
  lots: fc.bigInt({ min: 1n, max: 200_000n }),
  leverage: fc.constantFrom(5n, 20n, 100n),
  which: fc.nat(9),
  amount: fc.bigInt({ min: 1n, max: START }),
  percent: fc.bigInt({ min: 60n, max: 160n }),
});
type Act = typeof ACT extends fc.Arbitrary<infer A> ? A : never;

/** A user: money outside of leverage, lever balance, open positions. */
class Person {
  outside = START;
  balance = 0n;
  open: Position[] = [];
  fundPaid = 0n;

  equity(marks: ReadonlyMap<number, bigint>): bigint {
    return equityOf(accountOf(this.balance, this.open, marks));
  }
}

class World {
  readonly people = [new Person(), new Person()];
  readonly marks = new Map([
    [1, PRICE],
    [2, PRICE],
  ]);
  readonly stale = new Set<number>();
  house = 0n;
  fees = 0n;
  private serial = 0;

  get fresh(): ReadonlyMap<number, bigint> {
    return new Map([...this.marks].filter(([pairId]) => !this.stale.has(pairId)));
  }

  apply(act: Act): void {
    const person = this.people[act.who]!;
    const chosen = person.open[act.which % Math.max(1, person.open.length)];
    if (act.act === 'open') this.open(person, act);
    else if (act.act === 'hedge') {
      this.open(person, act);
      this.open(person, { ...act, direction: act.direction === 'long' ? 'short' : 'long' });
    } else if (act.act === 'close' || act.act === 'stop') {
      if (chosen) this.close(person, [chosen], act.act === 'stop' || act.which % 2 === 0);
    } else if (act.act === 'part') {
      if (chosen) this.close(person, [chosen], act.which % 2 === 0, 1 + (act.which % 4));
    } else if (act.act === 'batch') {
      const wanted = person.open.filter(({ direction }) => act.which < 3 || direction === act.direction);
      this.close(person, wanted, act.which % 2 === 0);
    } else if (act.act === 'in') {
      const amount = act.amount < person.outside ? act.amount : person.outside;
      person.outside -= amount;
      person.balance += amount;
    } else if (act.act === 'out') this.takeOut(person, act.amount);
    else if (act.act === 'price') this.marks.set(act.pairId, 1n + (this.marks.get(act.pairId)! * act.percent) / 100n);
    else if (act.act === 'night') this.charge(person);
    else if (!this.stale.delete(act.pairId)) this.stale.add(act.pairId);
  }

  private open(person: Person, { pairId, direction, lots, leverage }: Act): void {
    const mark = this.fresh.get(pairId);
    if (mark === undefined) return;
    const margin = (mark * lots) / leverage;
    if (margin === 0n || person.balance < margin) return;
    const id = String((this.serial += 1)).padStart(4, '0');
    const one = positionWith({
      id,
      pairId,
      direction,
      contracts: 5,
      lots,
      price: mark,
      margin,
      initialMargin: margin,
      overnight: 90_000n,
    });
    const after = [...person.open, one];
    if (marginRatio(accountOf(person.balance - margin, after, this.marks)) < OPEN_RATE) return;
    person.balance -= margin;
    person.open = after;
  }

  private takeOut(person: Person, amount: bigint): void {
    if (person.open.some(({ pairId }) => this.stale.has(pairId))) return;
    const account = accountOf(person.balance, person.open, this.marks);
    const max = person.open.length === 0 ? person.balance : transferable(account, TRANSFER_RATE);
    const taken = amount < max ? amount : max;
    if (taken <= 0n) return;
    person.balance -= taken;
    person.outside += taken;
  }

  private charge(person: Person): void {
    person.open = person.open.map((position) => {
      const { position: after } = chargeOvernightFee(position, 86_400_000);
      this.fees += position.margin - after.margin;
      return after;
    });
  }

  /** A close as the service decides it: refused without cover, postponed if the cover has no fresh price. */
  private close(person: Person, wanted: readonly Position[], withCover: boolean, contracts?: number): void {
    const { fresh } = this;
    const [first] = wanted;
    if (!first || !wanted.every(({ pairId }) => fresh.has(pairId))) return;
    const plan = new ClosePlan(person.open);
    for (const position of wanted) plan.add(position, []);
    if (contracts !== undefined) plan.divide(first.id, contracts, `part ${(this.serial += 1)}`);
    const isPart = plan.split !== null;
    for (let isCovered = false; !isCovered;) {
      const more = plan.addCover(fresh, person.balance);
      if (more === null) return;
      for (const position of more) plan.add(position, []);
      isCovered = more.length === 0;
    }
    if ((plan.cover.length > 0 || (isPart && plan.split === null)) && !withCover) return;
    const closes = plan.closing;
    const stays = plan.account.filter((one) => !closes.includes(one));
    const before = person.equity(this.marks);
    const owed = [...payableOvernightFees(person.balance, plan.account).values()].reduce((sum, one) => sum + one, 0n);
    const { settled, balance } = settle(closes, fresh, person.balance, plan.account);
    const sum = (of: (one: (typeof settled)[number]) => bigint): bigint =>
      settled.reduce((total, one) => total + of(one), 0n);
    const [paid, rests] = [sum(({ shortfall }) => shortfall), sum(({ overnightFee }) => overnightFee)];
    // The rule of the fund (rules §3).
    expect(paid).toBe(stays.length > 0 || before >= 0n ? 0n : -before);
    person.balance = balance + owed - rests;
    person.open = stays;
    person.fundPaid += paid;
    this.house += sum(({ gain, loss, shortfall }) => loss + shortfall - gain);
    this.fees += rests;
    expect(person.balance >= 0n).toBe(true);
    // A settlement changes the total only by the payment of the fund.
    expect(person.equity(this.marks) <= before + paid).toBe(true);
    expect(settled.every(({ position, mark, profits }) => profits === profitsAt(position.scales, position, mark))).toBe(
      true,
    );
  }

  end(): void {
    this.stale.clear();
    for (const person of this.people) this.close(person, person.open, true);
  }
}

test('in every order of calls the fund pays the deficit of the last settlement alone [LEVER-083] [HARD-401]', () => {
  fc.assert(
    fc.property(fc.array(ACT, { minLength: 1, maxLength: 40 }), (acts) => {
      const world = new World();
      for (const act of acts) world.apply(act);
      world.end();
      let all = 0n;
      for (const { outside, balance, open } of world.people) {
        expect(open).toEqual([]);
        all += outside + balance;
      }
      // Both together have gained what house and fund have lost, less fees.
      const fund = world.people.reduce((sum, { fundPaid }) => sum + fundPaid, 0n);
      expect(all).toBe(2n * START - world.house - world.fees + fund);
    }),
    { numRuns: 400 },
  );
});

test('a hedge of equal sizes gains nothing, whichever side closes first and at any price [LEVER-084]', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1_000n, max: 900_000n }),
      fc.bigInt({ min: 20n, max: 300n }),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.constantFrom<readonly number[]>([0, 1], [1, 0]),
      (lots, percent, balance, order) => {
        const margin = (PRICE * lots) / 100n;
        const pair = [
          positionWith({ id: '1', direction: 'long', lots, margin }),
          positionWith({ id: '2', direction: 'short', lots, margin }),
        ];
        const marks = new Map([[1, (PRICE * percent) / 100n]]);
        let [freeBalance, open, fund] = [balance, pair, 0n];
        for (const place of order) {
          const one = open.find(({ id }) => id === pair[place]!.id);
          if (!one) continue;
          const closes = [one, ...coverFor([one], open, marks, freeBalance)!];
          const { settled, balance: after } = settle(closes, marks, freeBalance, open);
          fund += settled.reduce((sum, { shortfall }) => sum + shortfall, 0n);
          freeBalance = after;
          open = open.filter(({ id }) => !closes.some((each) => each.id === id));
        }
        expect([open.length, fund]).toEqual([0, 0n]);
        expect(freeBalance <= balance + 2n * margin).toBe(true);
      },
    ),
  );
});

test('money moved from balance to the margin of a position never shortens the cover of a close [LEVER-105]', () => {
  const SIZE = fc.bigInt({ min: 1_000n, max: 900_000n });
  fc.assert(
    fc.property(
      fc.array(fc.record({ lots: SIZE, direction: fc.constantFrom('long' as const, 'short' as const) }), {
        minLength: 2,
        maxLength: 6,
      }),
      fc.bigInt({ min: 20n, max: 300n }),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.nat(5),
      (sizes, percent, balance, amount, which) => {
        const open = sizes.map((size, at) =>
          positionWith({ id: String(at), ...size, margin: (PRICE * size.lots) / 100n }),
        );
        const marks = new Map([[1, (PRICE * percent) / 100n]]);
        const chosen = which % open.length;
        const after = open.map((one, at) => (at === chosen ? { ...one, margin: one.margin + amount } : one));
        for (const [at, one] of open.entries()) {
          const cover = coverFor([one], open, marks, balance + amount)!.map(({ id }) => id);
          const coverAfter = coverFor([after[at]!], after, marks, balance)!.map(({ id }) => id);
          if (at === chosen) expect(coverAfter).toEqual(cover);
          else expect(coverAfter.length).toBeGreaterThanOrEqual(cover.length);
        }
      },
    ),
  );
});

test('only open positions cover a loss [LEVER-083]', () => {
  const loser = positionWith({ id: '1', direction: 'short', margin: 0n });
  const others = [STATUS.pending, STATUS.closing, STATUS.closed, STATUS.revoked].map((status, at) =>
    positionWith({ id: String(at + 2), status }),
  );
  expect(coverFor([loser], [loser, ...others], new Map([[1, 7_000_000n]]), 0n)).toEqual([]);
});

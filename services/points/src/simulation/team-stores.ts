// Stores of the simulator: the tables of the team with their checks, on a server in memory.
import type { Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryDatabase, type MemoryTx } from '@bourse/persistence/memory';
import {
  RebateStore,
  type Carry,
  type OwedDay,
  type PaidRebate,
  type RebateFee,
  type RebateShare,
  type SettledDay,
  type Upline,
} from '../team/application/rebate-ports.js';
import { TeamStore, type TeamDeposit, type TreeRow } from '../team/application/team-ports.js';
import { GENERATIONS } from '../team/domain/rebate.js';
import type { TeamMember } from '../team/domain/team.js';

export const MEMBER = 'points.team_member';
export const DEPOSIT = 'points.team_deposit';
const CLOSED = 'points.rebate_closed';
const SHARE = 'points.rebate_share';
export const WAITING = 'points.rebate_waiting';
export const OWED = 'points.rebate_day';
export const CARRY = 'points.rebate_carry';
export const PAID = 'points.rebate_paid';
const TURN = 'points.team_turn';
const ONLY = 'only';

/** A settled day with what has become of it. */
export interface StoredRebate extends SettledDay {
  readonly state: 'none' | 'paying' | 'paid';
}
type Named = Pick<OwedDay, 'day' | 'person' | 'currency'>;
const nameOf = ({ day, person, currency }: Named): string => `${day}:${person}:${currency}`;
const feeName = ({ journal, payer, currency }: RebateFee): string => `${payer} ${journal} ${currency}`;
const carryName = ({ person, currency }: Pick<Carry, 'person' | 'currency'>): string => `${person}.${currency}`;

export class SimulatedTeam extends TeamStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  alone(tx: Tx): Promise<void> {
    return (tx as MemoryTx).statement('turn of the team', (at) => at.lock(TURN, ONLY));
  }

  lines(tx: Tx, ids: readonly number[]): Promise<readonly TeamMember[]> {
    return (tx as MemoryTx).statement('lines of the team', (at) => {
      const found = new Map<number, TeamMember>();
      for (const id of ids)
        for (let next: number | null = id; next !== null && !found.has(next);) {
          const member: TeamMember | undefined = at.get<TeamMember>(MEMBER, String(next));
          if (!member) break;
          found.set(member.id, member);
          next = member.inviterId;
        }
      return Promise.resolve([...found.values()]);
    });
  }

  save(tx: Tx, members: readonly TeamMember[]): Promise<void> {
    return (tx as MemoryTx).statement('save members', async (at) => {
      for (const member of members) {
        if (member.inviterId === member.id) throw new Error('check team_member: no member invites themselves');
        await at.put(MEMBER, String(member.id), { ...member });
      }
    });
  }

  addDeposits(tx: Tx, deposits: readonly TeamDeposit[]): Promise<ReadonlySet<string>> {
    return (tx as MemoryTx).statement('add deposits', async (at) => {
      const fresh = new Set<string>();
      for (const deposit of deposits) {
        await at.lock(DEPOSIT, deposit.id);
        if (at.get(DEPOSIT, deposit.id)) continue;
        await at.put(DEPOSIT, deposit.id, deposit);
        fresh.add(deposit.id);
      }
      return fresh;
    });
  }

  member(id: number): Promise<TeamMember | null> {
    return this.database.statement('read a member', (at) =>
      Promise.resolve(at.get<TeamMember>(MEMBER, String(id)) ?? null),
    );
  }
  isBelow(): Promise<boolean> {
    return rejectUnused();
  }
  tree(): Promise<readonly TreeRow[]> {
    return rejectUnused();
  }
}

export class SimulatedRebates extends RebateStore {
  closed(tx: Tx): Promise<number | null> {
    return (tx as MemoryTx).statement('last day of rebates', (at) =>
      Promise.resolve(at.get<{ day: number }>(CLOSED, ONLY)?.day ?? null),
    );
  }

  close(tx: Tx, day: number): Promise<void> {
    return (tx as MemoryTx).statement('close a day of rebates', async (at) => {
      await at.lock(CLOSED, ONLY);
      const before = at.get<{ day: number }>(CLOSED, ONLY)?.day ?? day;
      await at.put(CLOSED, ONLY, { day: Math.max(before, day) });
    });
  }

  uplines(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Upline>> {
    return (tx as MemoryTx).statement('who stands above', (at) => {
      const uplines = new Map<number, Upline>();
      for (const payer of ids) {
        const line: number[] = [];
        let isKnown = true;
        let member = at.get<TeamMember>(MEMBER, String(payer));
        if (!member) continue;
        for (let generation = 0; member && generation <= GENERATIONS; generation += 1) {
          if (generation > 0) line.push(member.id);
          if (!member.registered && generation < GENERATIONS) isKnown = false;
          member = member.inviterId === null ? undefined : at.get<TeamMember>(MEMBER, String(member.inviterId));
        }
        uplines.set(payer, { ids: line, isKnown });
      }
      return Promise.resolve(uplines);
    });
  }

  wait(tx: Tx, fees: readonly RebateFee[]): Promise<void> {
    return (tx as MemoryTx).statement('fees that wait', async (at) => {
      for (const fee of fees) if (!at.get(WAITING, feeName(fee))) await at.put(WAITING, feeName(fee), fee);
    });
  }

  waiting(tx: Tx, limit: number): Promise<readonly RebateFee[]> {
    return (tx as MemoryTx).statement('read fees that wait', (at) =>
      Promise.resolve(
        at
          .rows<RebateFee>(WAITING)
          .map(([, fee]) => fee)
          .filter(({ payer }) => at.get<TeamMember>(MEMBER, String(payer))?.registered)
          .slice(0, limit),
      ),
    );
  }

  leaveWaiting(tx: Tx, fees: readonly RebateFee[]): Promise<void> {
    return (tx as MemoryTx).statement('fees wait no longer', async (at) => {
      for (const fee of fees) await at.put(WAITING, feeName(fee), null);
    });
  }

  addShares(tx: Tx, shares: readonly RebateShare[]): Promise<void> {
    return (tx as MemoryTx).statement('add shares', async (at) => {
      for (const one of shares) {
        const key = `${one.journal} ${one.payer} ${one.currency} ${one.generation}`;
        await at.lock(SHARE, key);
        if (at.get(SHARE, key)) continue;
        await at.put(SHARE, key, one);
        const { day, person, currency } = one;
        const name = nameOf(one);
        await at.lock(OWED, name);
        const sum = (at.get<OwedDay>(OWED, name)?.sum ?? 0n) + one.amount;
        await at.put(OWED, name, { day, person, currency, sum } satisfies OwedDay);
      }
    });
  }

  owed(tx: Tx, day: number, limit: number): Promise<readonly OwedDay[]> {
    return (tx as MemoryTx).statement('what is owed', async (at) => {
      const rows = at
        .rows<OwedDay>(OWED)
        .map(([, row]) => row)
        .filter((row) => row.day <= day)
        .sort((a, b) => a.day - b.day || a.person - b.person || a.currency - b.currency)
        .slice(0, limit);
      for (const row of rows) await at.lock(OWED, nameOf(row));
      return rows;
    });
  }

  carries(tx: Tx, of: readonly Pick<OwedDay, 'person' | 'currency'>[]): Promise<readonly Carry[]> {
    return (tx as MemoryTx).statement('carries', (at) =>
      Promise.resolve([...new Set(of.map(carryName))].flatMap((name) => at.get<Carry>(CARRY, name) ?? [])),
    );
  }

  settle(tx: Tx, days: readonly SettledDay[], carries: readonly Carry[]): Promise<void> {
    return (tx as MemoryTx).statement('settle days', async (at) => {
      for (const day of days) {
        const name = nameOf(day);
        await at.lock(PAID, name);
        if (at.get(PAID, name)) throw new Error(`duplicate key rebate_paid: ${name}`);
        await at.put(PAID, name, { ...day, state: day.isPaid ? 'paying' : 'none' } satisfies StoredRebate);
        await at.put(OWED, name, null);
      }
      for (const carry of carries) await at.put(CARRY, carryName(carry), carry);
    });
  }

  paid(tx: Tx, days: readonly Named[], paidAt: number): Promise<readonly PaidRebate[]> {
    return (tx as MemoryTx).statement('rebates are paid', async (at) => {
      const paid: PaidRebate[] = [];
      for (const one of days) {
        const name = nameOf(one);
        await at.lock(PAID, name);
        const row = at.get<StoredRebate>(PAID, name);
        if (row?.state !== 'paying') continue;
        await at.put(PAID, name, { ...row, state: 'paid' } satisfies StoredRebate);
        const { day, person, currency, amount } = row;
        paid.push({ id: name, day, person, currency, amount, paidAt });
      }
      return paid;
    });
  }

  ofPerson(): Promise<never> {
    return rejectUnused();
  }
}

// The simulated part of this service: its use cases over tables in memory, and its invariants. Only the simulator
// imports it.
import type { SimulatedCall, SimulatedService, SimulatedTables } from '@bourse/ledger-client';
import { formatUnits, toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryTx } from '@bourse/persistence/memory';
import type { Setting, Settings } from '@bourse/settings';
import { MAX_OPEN, SECONDS } from './application/box-settings.js';
import { Boxes } from './application/boxes.js';
import { BoxStore } from './application/ports.js';
import { holdOf, type Box } from './domain/box.js';

const SCHEMA = 'template';
const [BOX, COUNT, NUMBER] = [`${SCHEMA}.box`, `${SCHEMA}.box_count`, `${SCHEMA}.box_number`];
const CURRENCY = 3;
const SCALE = 8;
/** Boxes that close while the run heals, and boxes that stay open to its end. */
const SHORT_SECONDS = 2;
const LONG_SECONDS = 86_400;

interface Count {
  readonly userId: number;
  readonly boxes: number;
}

/** The tables of `PostgresBoxes`, with their checks. Queries of the auditor of a real database are not here. */
class SimulatedBoxes extends BoxStore {
  take(tx: Tx, userId: number, most: number): Promise<boolean> {
    return this.count(tx, userId, 1, most);
  }
  async giveBack(tx: Tx, userId: number): Promise<void> {
    await this.count(tx, userId, -1, Number.POSITIVE_INFINITY);
  }

  private count(tx: Tx, userId: number, by: number, most: number): Promise<boolean> {
    return (tx as MemoryTx).statement('count boxes', async (at) => {
      const key = String(userId);
      await at.lock(COUNT, key);
      const boxes = (at.get<Count>(COUNT, key)?.boxes ?? 0) + by;
      if (boxes > most) return false;
      if (boxes < 0) throw new Error('check box_count: no person has fewer than no boxes');
      await at.put(COUNT, key, { userId, boxes } satisfies Count);
      return true;
    });
  }

  insert(tx: Tx, { userId, currency, amount }: Pick<Box, 'userId' | 'currency' | 'amount'>): Promise<string> {
    return (tx as MemoryTx).statement('insert a box', async (at) => {
      await at.lock(NUMBER, 'last');
      const last = (at.get<{ last: number }>(NUMBER, 'last')?.last ?? 0) + 1;
      await at.put(NUMBER, 'last', { last });
      const id = String(last);
      await at.put(BOX, id, { id, userId, currency, amount, state: 'waiting', closesAt: null } satisfies Box);
      return id;
    });
  }

  async open(tx: Tx, id: string, closesAt: number): Promise<Box> {
    const box = await this.change(tx, id, (found) =>
      found?.state === 'waiting' ? { ...found, state: 'open', closesAt } : undefined,
    );
    if (!box) throw new Error(`invariant: box ${id} does not wait for the ledger`);
    return box;
  }
  async drop(tx: Tx, id: string): Promise<void> {
    await this.change(tx, id, (found) => (found?.state === 'waiting' ? null : undefined));
  }
  close(tx: Tx, id: string, which: { readonly dueAt: number } | { readonly userId: number }): Promise<Box | null> {
    return this.change(tx, id, (found) =>
      found?.state === 'open' &&
      ('dueAt' in which ? (found.closesAt ?? 0) <= which.dueAt : found.userId === which.userId)
        ? { ...found, state: 'closed' }
        : undefined,
    );
  }

  /** Undefined leaves the row as it is; null deletes it. */
  private change(tx: Tx, id: string, to: (box: Box | undefined) => Box | null | undefined): Promise<Box | null> {
    return (tx as MemoryTx).statement('change a box', async (at) => {
      await at.lock(BOX, id);
      const box = to(at.get<Box>(BOX, id));
      if (box !== undefined) await at.put(BOX, id, box);
      return box ?? null;
    });
  }

  list(): Promise<never> {
    return rejectUnused();
  }
  holdDigests(): Promise<never> {
    return rejectUnused();
  }
  holdLines(): Promise<never> {
    return rejectUnused();
  }
  miscounted(): Promise<never> {
    return rejectUnused();
  }
}

const boxesOf = (server: SimulatedTables): readonly Box[] => server.rows<Box>(BOX);

/** Boxes are opened, queried again, closed early, or close by themselves. */
export const SIMULATED: SimulatedService<Boxes> = {
  service: 'service-template',
  schema: SCHEMA,
  sagas: true,
  reads: [],

  start({ database, sagas, log, clock, random }) {
    const get = <T>(setting: Setting<T>): T =>
      ((setting as Setting<unknown>) === SECONDS ? random.pick([SHORT_SECONDS, LONG_SECONDS]) : setting.initial) as T;
    const settings: Settings = { get, onChange: () => undefined };
    const timers = new Timers(database, clock);
    const boxes = new Boxes(sagas, sagas.commands, log, new SimulatedBoxes(), settings, timers, clock);
    timers.start();
    return boxes;
  },

  draw(random, user, known): SimulatedCall<Boxes> {
    const [id] = known.length > 0 && random.chance(0.4) ? [random.pick(known)] : [];
    if (id !== undefined)
      return { fields: { call: 'close', id }, run: (boxes, context) => boxes.closeEarly(user, id, context) };
    const units = random.chance(0.15) ? 10n ** 18n : BigInt(1 + random.int(10 ** 9));
    const amount = formatUnits(units, SCALE);
    return { fields: { call: 'open', amount }, run: (boxes, context) => boxes.open(user, CURRENCY, amount, context) };
  },

  holds: (server) =>
    new Map(
      boxesOf(server)
        .filter(({ state }) => state === 'open')
        .map(({ id, amount }) => [holdOf(id), toUnits(amount, SCALE)]),
    ),

  check({ server, calls }) {
    const problems: string[] = [];
    const boxes = new Map(boxesOf(server).map((box) => [box.id, box]));
    const running = new Map<number, number>();
    for (const { id, userId, state } of boxes.values()) {
      if (state === 'waiting') problems.push(`I3 box ${id} stays in between`);
      if (state !== 'closed') running.set(userId, (running.get(userId) ?? 0) + 1);
    }
    for (const { userId, boxes: counted } of server.rows<Count>(COUNT)) {
      if (counted !== (running.get(userId) ?? 0))
        problems.push(`I3 ${counted} boxes are counted for ${userId}, ${running.get(userId) ?? 0} are open`);
      if (counted > MAX_OPEN.initial) problems.push(`I3 ${userId} has ${counted} boxes open`);
    }
    const told = new Set<string>();
    for (const { fields, told: answers } of calls) {
      const accepted = answers.find(({ kind }) => kind === 'ok');
      const refused = answers.some(({ kind }) => kind === 'refused');
      if (accepted?.kind !== 'ok') continue;
      const box = boxes.get(accepted.id);
      if (!box) problems.push(`I6 box ${accepted.id} was told ok and is not there`);
      if (refused) problems.push(`I6 box ${accepted.id} was told ok and refused under one command id`);
      if (fields['call'] === 'close' && box?.state !== 'closed') problems.push(`I6 box ${accepted.id} is not closed`);
      if (fields['call'] !== 'open') continue;
      if (told.has(accepted.id)) problems.push(`I6 box ${accepted.id} is the answer to two calls`);
      told.add(accepted.id);
    }
    return problems;
  },
};

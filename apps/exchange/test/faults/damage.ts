import { setTimeout as sleep } from 'node:timers/promises';
import { call, settled, type Body } from '../integration/trading-log.js';
import { BOUNDS, PATIENCE, type Fault, type Run } from './fault.js';
import { until, type World } from './world.js';

interface Damage {
  readonly name: string;
  readonly plant: (world: World) => Promise<() => Promise<void>>;
  readonly named: RegExp;
}
const USDT = 3;
/** A user whose money does not move: a writer that rewrites the row would hide the damage. */
const VICTIM = 100_010;

/** As a broken disk or a stranger with the database's password would do it: past the triggers that guard these rows. */
async function pastTriggers(
  world: World,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, string>[]> {
  const client = await world.connect();
  try {
    await client.query('set session_replication_role = replica');
    return (await client.query(text, [...values])).rows as Record<string, string>[];
  } finally {
    await client.end();
  }
}

const DAMAGES: readonly Damage[] = [
  {
    name: 'one unit too much in a balance',
    named: new RegExp(`${VICTIM}|conservation|sums`),
    plant: async (world) => {
      const change = (by: string): Promise<unknown> =>
        pastTriggers(
          world,
          `update ledger.balance
            set available = available + ${by}::numeric
            where owner = $1 and product = 'change' and currency = $2`,
          [VICTIM, USDT],
        );
      await change('0.00000001');
      return async () => {
        await change('-0.00000001');
      };
    },
  },
  {
    name: 'a journal without one of its legs',
    named: /chain|journal|hash/,
    plant: async (world) => {
      const [row] = await pastTriggers(
        world,
        `select number::text, part::text, partition::text, entries::text
          from ledger.journal
          where owner = $1
          order by number desc limit 1`,
        [VICTIM],
      );
      if (!row) throw new Error('the victim has no journal');
      const write = (entries: string): Promise<unknown> =>
        pastTriggers(
          world,
          'update ledger.journal set entries = $1::json where partition = $2 and number = $3 and part = $4',
          [entries, row['partition'], row['number'], row['part']],
        );
      await write(JSON.stringify((JSON.parse(row['entries'] as string) as unknown[]).slice(1)));
      return async () => {
        await write(row['entries'] as string);
      };
    },
  },
  {
    name: 'an open order altered',
    named: /order|book|hold/,
    plant: async (world) => {
      const [row] = await pastTriggers(
        world,
        `select id::text, price::text
          from spot.orders
          where status = 1 and symbol = 'BTC/USDT'
          order by sequence limit 1`,
      );
      if (!row) throw new Error('no order is open');
      const write = (price: string): Promise<unknown> =>
        pastTriggers(world, 'update spot.orders set price = $1 where id = $2', [price, row['id']]);
      await write(String(Number(row['price']) + 1));
      return async () => {
        await write(row['price'] as string);
      };
    },
  },
];

const order = { legal_id: '3', currency_id: '1', type: '1', target_price: '50000.00', amount: '0.001' };
const status = async (world: World): Promise<{ modes?: Record<string, string>; audit?: string }> =>
  (await call(world.url, 'GET', '/api/status')).message as { modes?: Record<string, string>; audit?: string };

async function signIn(world: World, path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const answer = await settled(
    () => call(world.url, 'POST', path, { ...fields, password: 'Harbor-2468' }),
    ({ type }) => type === 'ok',
  );
  if (answer.type !== 'ok') throw new Error(`${path}: ${answer.key}`);
  return answer.message as string;
}

async function planted(run: Run, { name, plant, named }: Damage): Promise<void> {
  const { world } = run;
  await run.underLoad(name, { boundMs: BOUNDS.service }, async (row, traders) => {
    const trader = await signIn(world, '/api/user/login', { user_string: 'trader3@demo.bourse' });
    const operator = await signIn(world, '/api/admin/login', { username: 'operator' });
    const resting = (await call(world.url, 'POST', '/api/coin/trade', order, trader)) as Body;
    if (resting.type !== 'ok') row.wrong.push(`no order to cancel later: ${resting.key}`);
    // Damage is in unused rows: rows that are rewritten meanwhile would heal or hide it.
    await traders.pause();
    await sleep(300);
    const mend = await plant(world);
    try {
      const foundMs = await until(
        'the planted damage to be found',
        async () => (await status(world)).audit !== 'ok',
        BOUNDS.planted * PATIENCE,
        200,
      );
      row.notes.push(`found after ${foundMs} ms`);
      const frozenMs = await until(
        'all markets to be cancel-only',
        async () => Object.values((await status(world)).modes ?? {}).every((mode) => mode !== 'normal'),
        BOUNDS.freeze * PATIENCE,
        100,
      );
      row.notes.push(`frozen ${frozenMs} ms later`);
      const refusedOrder = await call(world.url, 'POST', '/api/coin/trade', order, trader);
      if (refusedOrder.type === 'ok') row.wrong.push('a new order was taken');
      const refusedMove = await call(
        world.url,
        'POST',
        '/api/wallet/change',
        { currency_id: '3', number: '1', from_field: 'change', to_field: 'legal' },
        trader,
      );
      if (refusedMove.type === 'ok') row.wrong.push('money was moved');
      const cancel = await settled(
        () => call(world.url, 'PUT', '/api/coin/trade', { id: resting.id ?? '' }, trader),
        ({ type }) => type === 'ok',
        BOUNDS.answer * PATIENCE,
      );
      if (cancel.type !== 'ok' && !name.includes('altered'))
        row.wrong.push(`a cancel was refused: ${JSON.stringify(cancel)}`);
      const failing = async (): Promise<string> =>
        JSON.stringify(
          (
            (await call(world.url, 'GET', '/dev/audit', {}, undefined, undefined, 20_000)).message as
              | { checks?: { ok: number }[] }
              | undefined
          )?.checks?.filter(({ ok }) => ok === 0) ?? [],
        );
      const text = await settled(failing, (found) => named.test(found), 10_000 * PATIENCE);
      if (!named.test(text)) row.wrong.push(`nothing names what is wrong: ${text.slice(0, 500)}`);
      else row.notes.push(text.slice(0, 160));
    } finally {
      await mend();
    }
    // Reopening is an operator's act, and refused while anything is wrong.
    const opened = await settled(
      () =>
        call(
          world.url,
          'POST',
          '/api/admin/breaker',
          { scope: 'all', mode: 'normal', reason: 'mended by the fault suite' },
          operator,
          undefined,
          20_000,
        ),
      ({ type }) => type === 'ok',
      40_000,
    );
    if (opened.type !== 'ok') row.wrong.push(`not reopened: ${JSON.stringify(opened)}`);
    traders.resume();
    return Date.now();
  });
}

/** 15. Damage that no process has done. */
export const damage: Fault = {
  number: 15,
  code: 'FAULT-150',
  name: 'planted wrong unit, missing leg, altered open order',
  modes: ['embedded', 'distributed'],
  short: ['distributed'],
  run: async (run) => {
    for (const one of run.short ? [run.pick(DAMAGES)] : DAMAGES) await planted(run, one);
  },
};

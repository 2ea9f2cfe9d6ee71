import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Notice, Refused, Reply, type CallContext } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { testDatabases, type TestDatabases } from '@bourse/testing';
import { AnswerStore, type Database } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

const call = (commandId: string, bodyHash = 'h'): CallContext => ({
  requestId: 'r',
  lang: 'en',
  ip: '127.0.0.1',
  agent: '',
  caller: null,
  commandId,
  hasKey: true,
  bodyHash,
  validUntil: 0,
});

describe('answers of money calls', () => {
  let world: TestDatabases;
  let database: Database;
  let answers: AnswerStore;
  beforeAll(async () => {
    world = await testDatabases();
    database = await world.databases.open({ schema: 'alpha', migrations: [] });
    answers = new AnswerStore(database);
  });
  afterAll(async () => {
    await world?.end();
  });

  test('a repeat gets the first answer and decides nothing [ANSWER-001]', async () => {
    let decided = 0;
    const decide = async () => {
      decided += 1;
      return new Notice('done', { id: String(decided) });
    };
    const first = await answers.once(call('a'), decide);
    expect(await answers.once(call('a'), decide)).toEqual(first);
    expect(await answers.once(call('b'), async () => new Reply([1], { sum: 2 }))).toEqual(new Reply([1], { sum: 2 }));
    expect(await answers.once(call('b'), decide)).toEqual(new Reply([1], { sum: 2 }));
    expect(decided).toBe(1);
  });

  test('a refusal is kept for an hour, an answer for seven days [HARD-418]', async () => {
    await answers.once(call('kept'), async () => new Notice('done'));
    await answers.once(call('refused'), () => Promise.reject(new Refused('quantity.rule'))).catch(() => undefined);
    await database.transaction(async (tx) => {
      for (const id of ['open-kept', 'open-refused']) await answers.open(tx, id, 'h');
      await answers.concludeAll(tx, [
        { commandId: 'open-kept', answer: new Notice('done') },
        { commandId: 'open-refused', answer: new Refused('quantity.rule') },
      ]);
    });
    const rows = await database.query<{ id: string; hours: number }>(
      `select command_id as id, round(extract(epoch from until - now()) / 3600)::int as hours from answers
        where command_id = any($1::text[]) order by 1`,
      [['kept', 'open-kept', 'open-refused', 'refused']],
    );
    expect(rows.map(({ id, hours }) => [id, hours])).toEqual([
      ['kept', 168],
      ['open-kept', 168],
      ['open-refused', 1],
      ['refused', 1],
    ]);
  });

  test('a repeat with another body is refused [ANSWER-002]', async () => {
    await answers.once(call('c'), async () => new Notice('done'));
    await expect(answers.once(call('c', 'other'), async () => new Notice('again'))).rejects.toMatchObject({
      key: 'common.keyReused',
    });
  });

  test('a refused id stays refused; a gate or a failure may be tried again [ANSWER-003]', async () => {
    await expect(
      answers.once(call('d'), () =>
        Promise.reject(new Refused('balance.insufficient', { need: 5 }, { field: 'number' })),
      ),
    ).rejects.toMatchObject({ key: 'balance.insufficient' });
    const again = answers.once(call('d'), async () => new Notice('now there is money'));
    await expect(again).rejects.toMatchObject({
      key: 'balance.insufficient',
      params: { need: 5 },
      options: { field: 'number' },
    });
    await expect(again).rejects.toBeInstanceOf(Refused);
    await expect(
      answers.once(call('e'), () => Promise.reject(new Refused('fund.required', {}, { type: '996' }))),
    ).rejects.toMatchObject({ key: 'fund.required' });
    await expect(answers.once(call('e'), async () => new Notice('done'))).resolves.toEqual(new Notice('done'));
    await expect(answers.once(call('p'), () => Promise.reject(new Refused('market.paused')))).rejects.toMatchObject({
      key: 'market.paused',
    });
    await expect(answers.once(call('p'), async () => new Notice('open again'))).resolves.toEqual(
      new Notice('open again'),
    );
    await expect(answers.once(call('f'), () => Promise.reject(new Error('the database is away')))).rejects.toThrow(
      'away',
    );
    await expect(answers.once(call('f'), async () => new Notice('done'))).resolves.toEqual(new Notice('done'));
  });

  test('while the first call is open its repeats are pending: of many at once one decides [ANSWER-004]', async () => {
    let decided = 0;
    let release = (): void => undefined;
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    const decide = async () => {
      decided += 1;
      await open;
      return new Notice('done');
    };
    const calls = Array.from({ length: 8 }, () =>
      answers.once(call('g'), decide).then(
        () => 'answered',
        (error: Refused) => error.options.type,
      ),
    );
    const settled: unknown[] = [];
    for (const one of calls) void one.then((state) => settled.push(state));
    await eventually(() => settled.length === 7);
    expect(new Set(settled)).toEqual(new Set(['pending']));
    release();
    expect((await Promise.all(calls)).filter((state) => state === 'answered').length).toBe(1);
    expect(decided).toBe(1);
    expect(await answers.find('g')).toEqual({ state: 'done', answer: new Notice('done') });
    expect(await answers.find('nobody')).toBeNull();
  });

  test('a call that crashed in its handler is pending only until its claim ends [ANSWER-006]', async () => {
    void answers.once(call('dead'), () => new Promise(() => undefined));
    await eventually(async () => (await answers.find('dead'))?.state === 'pending');
    await database.execute(
      `update answers
        set created_at = created_at - interval '61 seconds', until = until - interval '61 seconds'
        where command_id = 'dead'`,
    );
    expect(await answers.find('dead')).toBeNull();
    await expect(answers.once(call('dead'), async () => new Notice('done'))).resolves.toEqual(new Notice('done'));
    expect(await answers.find('dead')).toEqual({ state: 'done', answer: new Notice('done') });
  });

  test('a call with its own time for effects stays open for that long [ANSWER-006]', async () => {
    void answers.once(call('brief'), () => new Promise(() => undefined), 15);
    await eventually(async () => (await answers.find('brief'))?.state === 'pending');
    const seconds = async (): Promise<number> =>
      Number(
        (
          await database.query<{ left: string }>(
            `select extract(epoch from until - created_at) as left from answers where command_id = 'brief'`,
          )
        )[0]?.left,
      );
    expect(await seconds()).toBe(15);
    await database.transaction((tx) => answers.record(tx, 'brief', new Notice('done')));
    expect(await seconds()).toBeGreaterThan(6 * 86_400);
  });

  test('a call whose outcome is unknown keeps its id: it is not reported as "not found" [ANSWER-006]', async () => {
    const unknown = new Refused('common.processing', {}, { type: 'pending', status: 202 });
    await expect(answers.once(call('unknown'), () => Promise.reject(unknown))).rejects.toBe(unknown);
    expect(await answers.find('unknown')).toEqual({ state: 'pending' });
  });

  test('an answer stored with its effect is not stored again, whatever the call returns [ANSWER-007]', async () => {
    const kept = async (id: string, say: () => Notice): Promise<Notice> =>
      (await answers.once(call(id), async (isKept) => {
        await database.transaction((tx) => answers.record(tx, id, new Notice('of the effect')));
        isKept();
        return say();
      })) as Notice;
    expect(await kept('k', () => new Notice('of the call'))).toEqual(new Notice('of the call'));
    await expect(
      kept('l', () => {
        throw new Refused('trade.notOpen');
      }),
    ).rejects.toMatchObject({ key: 'trade.notOpen' });
    for (const id of ['k', 'l'])
      expect(await answers.find(id)).toEqual({ state: 'done', answer: new Notice('of the effect') });
  });

  test('a call whose claim was taken over meanwhile is answered as the one that was faster [ANSWER-010]', async () => {
    const slow = async (id: string, end: () => Notice): Promise<unknown> => {
      let go = (): void => undefined;
      const going = new Promise<void>((resolve) => {
        go = resolve;
      });
      const first = answers.once(call(id), async () => {
        await going;
        return end();
      });
      first.catch(() => undefined);
      await eventually(async () => (await answers.find(id))?.state === 'pending');
      await database.execute(`update answers set created_at = created_at - interval '16 s' where command_id = $1`, [
        id,
      ]);
      await answers.once(call(id), async () => new Notice('of the second'));
      go();
      return first;
    };
    await expect(slow('slow-done', () => new Notice('of the first'))).resolves.toEqual(new Notice('of the second'));
    const refuse = (): never => {
      throw new Refused('trade.notOpen');
    };
    await expect(slow('slow-refused', refuse)).resolves.toEqual(new Notice('of the second'));
  });

  test('a refusal that frees the key of its call is not kept when it ends an open one [ANSWER-011]', async () => {
    await database.transaction((tx) => answers.open(tx, 'busy', 'h'));
    const busy = new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
    await database.transaction((tx) => answers.conclude(tx, 'busy', busy));
    expect(await answers.find('busy')).toBeNull();
    await expect(answers.once(call('busy', 'other'), async () => new Notice('done'))).resolves.toEqual(
      new Notice('done'),
    );
  });

  test('calls that come together are claimed and found together, each with its own outcome [ANSWER-008]', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `together-${n}`);
    await database.tables.answers.claim('together-7', 'h', 15, 60);
    const claims = await Promise.all([...ids, ...ids].map((id) => database.tables.answers.claim(id, 'h', 15, 60)));
    expect(claims.map((isClaimed, at) => (isClaimed ? at : -1)).filter((at) => at >= 0)).toEqual(
      ids.map((_, at) => at).filter((at) => at !== 7),
    );
    await database.transaction((tx) => answers.record(tx, 'together-3', new Notice('done')));
    const found = await Promise.all([...ids, 'together-none'].map((id) => database.tables.answers.find(id)));
    expect(found.map((row) => row?.state ?? null)).toEqual([
      ...ids.map((id) => (id === 'together-3' ? 'done' : 'pending')),
      null,
    ]);
  });

  test('an answer stored with its effect is committed or rolled back with it [ANSWER-005]', async () => {
    await expect(
      database.transaction(async (tx) => {
        await answers.record(tx, 'h', new Notice('done'));
        throw new Error('no effect');
      }),
    ).rejects.toThrow('no effect');
    expect(await answers.find('h')).toBeNull();
    await database.transaction((tx) => answers.record(tx, 'h', new Notice('done')));
    await expect(answers.once(call('h'), () => Promise.reject(new Error('decided twice')))).resolves.toEqual(
      new Notice('done'),
    );
  });
});

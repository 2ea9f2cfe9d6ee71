import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StreamForked, StreamHeads, type Database, type Emission, type OutboxRow } from '../src/index.js';

/** Two processes on one server. `rows` collects the announcements of commits to each process. */
export interface TablesWorld {
  readonly one: Database;
  readonly two: Database;
  readonly rows: OutboxRow[];
  end(): Promise<void>;
}

const say = (text: string): Emission['message'] => ({ type: 'word.v1', key: 'k', body: { text } });
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
/** A promise that a test settles itself. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  return {
    passed: new Promise((resolve) => {
      open = resolve;
    }),
    open: () => open(),
  };
}

/**
 * The properties of a database that log, ledger and books rely on: the same for PostgreSQL and for the one in memory,
 * so that simulated runs are valid for real ones.
 */
export function tablesSuite(name: string, start: () => Promise<TablesWorld>): void {
  describe(`tables of every schema, ${name}`, () => {
    let world: TablesWorld;
    let serial = 0;
    const fresh = (what: string): string => `${what}${(serial += 1)}`;
    beforeAll(async () => {
      world = await start();
    }, 60_000);
    afterAll(async () => {
      await world?.end();
    }, 60_000);

    test('a partition is taken by one, by its name again, by another after its lease [SIM-010]', async () => {
      const [
        {
          tables: { owners },
        },
        {
          tables: { owners: others },
        },
      ] = [world.one, world.two];
      const consumer = fresh('taken');
      expect(await owners.take(consumer, 0, 'one', 4_000)).toEqual({ epoch: 1, kafkaOffset: null, heldOffset: null });
      expect(await others.take(consumer, 0, 'two', 4_000)).toBeNull();
      expect(await owners.take(consumer, 0, 'one', 100)).toEqual({ epoch: 2, kafkaOffset: null, heldOffset: null });
      expect(await owners.renew([{ consumer, partition: 0, epoch: 2 }], 4_000)).toEqual(
        new Map([[`${consumer}/0`, 2]]),
      );
      await pause(150);
      expect(await others.take(consumer, 0, 'two', 4_000)).toBeNull(); // it was renewed
      expect(await owners.renew([{ consumer, partition: 0, epoch: 1 }], 4_000)).toEqual(
        new Map([[`${consumer}/0`, 2]]),
      ); // an old epoch renews nothing
      await owners.free({ consumer, partition: 0, epoch: 1 });
      expect(await others.take(consumer, 0, 'two', 4_000)).toBeNull(); // nor does it free
      await owners.free({ consumer, partition: 0, epoch: 2 });
      // Work that the owner still had under way when it freed the partition neither renews it nor commits under it.
      await owners.renew([{ consumer, partition: 0, epoch: 2 }], 4_000);
      const late = { consumer, partition: 0, epoch: 2, kafkaOffset: null, leaseMs: 4_000 };
      expect(await world.one.transaction((tx) => owners.advance(tx, late, []))).toMatchObject({ owned: false });
      expect(await others.take(consumer, 0, 'two', 50)).toEqual({ epoch: 3, kafkaOffset: null, heldOffset: null });
      await pause(80);
      expect(await owners.take(consumer, 0, 'one', 4_000)).toEqual({ epoch: 4, kafkaOffset: null, heldOffset: null });
      expect(await others.renew([{ consumer, partition: 0, epoch: 3 }], 4_000)).toEqual(
        new Map([[`${consumer}/0`, 4]]),
      );
    });

    test('positions move by compare-and-set under the epoch, in the transaction or not at all [SIM-011]', async () => {
      const { one } = world;
      const consumer = fresh('read');
      await one.tables.owners.take(consumer, 1, 'one', 4_000);
      const advance = (
        epoch: number,
        expected: number,
        number: number,
        kafkaOffset: string | null = null,
        heldOffset: string | null = null,
      ): Promise<{ owned: boolean; moved: number }> =>
        one.transaction((tx) =>
          one.tables.owners.advance(tx, { consumer, partition: 1, epoch, kafkaOffset, heldOffset, leaseMs: 4_000 }, [
            { stream: 'a>b/1', expected, number, hash: `h${number}` },
          ]),
        );
      expect(await advance(1, 0, 3)).toEqual({ owned: true, moved: 1 });
      expect(await advance(1, 0, 2)).toEqual({ owned: true, moved: 0 });
      await expect(
        one.transaction(async (tx) => {
          const { owned } = await one.tables.owners.advance(
            tx,
            { consumer, partition: 1, epoch: 2, kafkaOffset: null, leaseMs: 4_000 },
            [{ stream: 'a>b/1', expected: 3, number: 4, hash: 'h4' }],
          );
          if (!owned) throw new Error('fenced');
        }),
      ).rejects.toThrow('fenced');
      expect(await advance(1, 9, 10)).toEqual({ owned: true, moved: 0 });
      expect(await advance(1, 3, 5, '77', '70')).toEqual({ owned: true, moved: 1 });
      await expect(
        one.transaction(async (tx) => {
          await one.tables.owners.advance(tx, { consumer, partition: 1, epoch: 1, kafkaOffset: '99', leaseMs: 4_000 }, [
            { stream: 'a>b/1', expected: 5, number: 6, hash: 'h6' },
          ]);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await one.tables.owners.positions(consumer)).toEqual([{ stream: 'a>b/1', number: 5, hash: 'h5' }]);
      expect(await one.tables.owners.take(consumer, 1, 'one', 4_000)).toEqual({
        epoch: 2,
        kafkaOffset: '77',
        heldOffset: '70',
      });
    });

    test('a commit that begins elsewhere than the log was read to moves nothing, of any stream [LOG-041]', async () => {
      const { one } = world;
      const consumer = fresh('read');
      await one.tables.owners.take(consumer, 1, 'one', 4_000);
      const advance = (stream: string, kafkaFrom: string | null, kafkaOffset: string): Promise<boolean> =>
        one.transaction(async (tx) => {
          const { owned } = await one.tables.owners.advance(
            tx,
            { consumer, partition: 1, epoch: 1, kafkaFrom, kafkaOffset, leaseMs: 4_000 },
            [{ stream, expected: 0, number: 1, hash: 'h' }],
          );
          if (!owned) throw new Error('fenced');
          return owned;
        });
      expect(await advance('a>b/1', null, '100')).toBe(true);
      // The commit of 101 was taken back by a crash; this one begins behind it.
      await expect(advance('c>b/1', '101', '102')).rejects.toThrow('fenced');
      await expect(advance('c>b/1', null, '102')).rejects.toThrow('fenced');
      expect(await one.tables.owners.positions(consumer)).toEqual([{ stream: 'a>b/1', number: 1, hash: 'h' }]);
      expect(await advance('c>b/1', '100', '102')).toBe(true);
      expect(await one.tables.owners.take(consumer, 1, 'one', 4_000)).toEqual({
        epoch: 2,
        kafkaOffset: '102',
        heldOffset: null,
      });
    });

    test('a transaction that meets an owner row of a running one waits, and sees its effect [SIM-012]', async () => {
      const { one, two } = world;
      const consumer = fresh('held');
      await one.tables.owners.take(consumer, 0, 'one', 4_000);
      const [inside, go] = [gate(), gate()];
      const first = one.transaction(async (tx) => {
        await one.tables.owners.advance(tx, { consumer, partition: 0, epoch: 1, kafkaOffset: null, leaseMs: 4_000 }, [
          { stream: 's', expected: 0, number: 1, hash: 'x' },
        ]);
        inside.open();
        await go.passed;
      });
      await inside.passed;
      // Renewing does not wait: the row is skipped, and its epoch returned all the same.
      expect(await two.tables.owners.renew([{ consumer, partition: 0, epoch: 1 }], 4_000)).toEqual(
        new Map([[`${consumer}/0`, 1]]),
      );
      let second: { owned: boolean; moved: number } | undefined;
      const waiting = two.transaction(async (tx) => {
        second = await two.tables.owners.advance(
          tx,
          { consumer, partition: 0, epoch: 1, kafkaOffset: null, leaseMs: 4_000 },
          [{ stream: 's', expected: 0, number: 1, hash: 'y' }],
        );
      });
      await pause(50);
      expect(second).toBeUndefined();
      go.open();
      await Promise.all([first, waiting]);
      expect(second).toEqual({ owned: true, moved: 0 });
      expect(await one.tables.owners.positions(consumer)).toEqual([{ stream: 's', number: 1, hash: 'x' }]);
    });

    test('a lock that is held for too long is a transient failure for the waiting one [SIM-012]', async () => {
      const { one, two } = world;
      const consumer = fresh('stuck');
      await one.tables.owners.take(consumer, 0, 'one', 4_000);
      const [inside, go] = [gate(), gate()];
      const key = { consumer, partition: 0, epoch: 1, kafkaOffset: null, leaseMs: 4_000 };
      const first = one.transaction(async (tx) => {
        await one.tables.owners.advance(tx, key, []);
        inside.open();
        await go.passed;
      });
      await inside.passed;
      await expect(two.transaction((tx) => two.tables.owners.advance(tx, key, []))).rejects.toMatchObject({
        code: '55P03',
      });
      go.open();
      await first;
    });

    test('a transaction that idles for five seconds is ended, and its writes are gone [SIM-013]', async () => {
      const { one, two } = world;
      const consumer = fresh('asleep');
      await one.tables.owners.take(consumer, 0, 'one', 60_000);
      const key = { consumer, partition: 0, epoch: 1, kafkaOffset: null, leaseMs: 4_000 };
      const sleeper = one.transaction(async (tx) => {
        await one.tables.owners.advance(tx, key, [{ stream: 's', expected: 0, number: 1, hash: 'x' }]);
        await pause(5_600);
        await one.tables.owners.advance(tx, key, []);
      });
      await expect(sleeper).rejects.toThrow();
      expect(await two.tables.owners.positions(consumer)).toEqual([]);
    }, 20_000);

    test('a statement that fails spoils its transaction, but not beyond a savepoint [SIM-014]', async () => {
      const { one } = world;
      const [kept, lost] = [fresh('kept'), fresh('lost')];
      const due = (id: string) => ({ kind: fresh('kind'), id, dueAt: 1_000, payload: '"x"' });
      const first = due(kept);
      const second = due(lost);
      await one.transaction(async (tx) => {
        await one.tables.timers.set(tx, first);
        await expect(
          tx.savepoint(async () => {
            await one.tables.timers.set(tx, second);
            throw new Error('this part only');
          }),
        ).rejects.toThrow('this part only');
      });
      await one.transaction(async (tx) => {
        expect(await one.tables.timers.cancel(tx, first.kind, kept)).toBe(1_000);
        expect(await one.tables.timers.cancel(tx, second.kind, lost)).toBeNull();
      });
    });

    test('emitted rows are numbered in commit order, chained, announced after the commit [SIM-015]', async () => {
      const { one, two, rows } = world;
      const topic = fresh('topic');
      const [inside, go] = [gate(), gate()];
      const stream = `${one.schema}>${topic}/0`;
      const slow = one.transaction(async (tx) => {
        tx.emit(topic, 0, say('slow'));
        inside.open();
        await go.passed;
      });
      await inside.passed;
      await two.transaction(async (tx) => {
        tx.emit(topic, 0, say('quick'));
        tx.emit(topic, 1, say('elsewhere'));
      });
      go.open();
      await slow;
      await expect(
        one.transaction(async (tx) => {
          tx.emit(topic, 0, say('never'));
          await Promise.resolve();
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      await one.transaction(async (tx) => {
        tx.emit(topic, 0, say('last'));
      });
      const stored = await two.rowsOf(stream, 1, 10);
      expect(stored.map((row) => [row.number, row.payload.match(/"text":"(\w+)"/)?.[1]])).toEqual([
        [1, 'quick'],
        [2, 'slow'],
        [3, 'last'],
      ]);
      expect(stored.map((row) => row.previousHash)).toEqual(['', stored[0]?.hash, stored[1]?.hash]);
      expect(await one.rowsOf(stream, 2, 1)).toEqual([stored[1]]);
      // A row announced in memory carries its messages; a stored one has them in its payload.
      const told = rows.filter((row) => row.stream === stream).sort((a, b) => a.number - b.number);
      expect(told.map(({ messages, ...row }) => ({ ...row, payload: JSON.stringify(messages) }))).toEqual(stored);
      expect(
        (await one.tables.streams.heads(`${one.schema}>${topic}/`)).map(({ name, next }) => [name, next]).sort(),
      ).toEqual([
        [stream, 4],
        [`${one.schema}>${topic}/1`, 2],
      ]);
    });

    test('a writer that numbers in memory continues, or is stopped by a new row [SIM-016]', async () => {
      const { one, two } = world;
      const writer = fresh('w');
      const emissions = [{ topic: 'words', partition: 0, message: say('a') }];
      const mine = await StreamHeads.load(one, writer);
      for (let n = 0; n < 3; n += 1) {
        const staged = mine.stage(emissions);
        await one.transaction((tx) => tx.emitRows(staged));
        mine.commit();
      }
      const theirs = await StreamHeads.load(two, writer);
      const old = await StreamHeads.load(two, writer);
      const next = theirs.stage(emissions);
      expect(next.map((row) => row.number)).toEqual([4]);
      await two.transaction((tx) => tx.emitRows(next));
      await expect(one.transaction((tx) => tx.emitRows(mine.stage(emissions)))).rejects.toBeInstanceOf(StreamForked);
      await expect(two.transaction((tx) => tx.emitRows(old.stage(emissions)))).rejects.toBeInstanceOf(StreamForked);
      expect((await one.rowsOf(`${one.schema}.${writer}>words/0`, 1, 10)).map((row) => row.number)).toEqual([
        1, 2, 3, 4,
      ]);
    });

    test('a statement that comes after the end of its transaction is refused, without effect [SIM-021]', async () => {
      const { one } = world;
      const kind = fresh('late');
      let late: Promise<void> | undefined;
      const failed = one.transaction(async (tx) => {
        const [first] = [one.tables.timers.set(tx, { kind, id: 'a', dueAt: 1, payload: '1' })];
        late = (async () => {
          await first;
          await pause(30);
          await one.tables.timers.set(tx, { kind, id: 'b', dueAt: 1, payload: '1' });
        })();
        await first;
        throw new Error('meanwhile this fails');
      });
      await expect(failed).rejects.toThrow('meanwhile');
      await expect(late).rejects.toThrow('after the end');
      expect(await one.transaction((tx) => one.tables.timers.takeDue(tx, [kind], 5, 10))).toEqual([]);
    });

    test('callbacks run after a commit, never after a rollback [SIM-017]', async () => {
      const heard: string[] = [];
      await world.one.transaction(async (tx) => {
        tx.afterCommit(() => heard.push('committed'));
      });
      await expect(
        world.one.transaction(async (tx) => {
          tx.afterCommit(() => heard.push('rolled back'));
          await Promise.resolve();
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(heard).toEqual(['committed']);
    });

    test('an answer is claimed once, stored once, and committed only with its transaction [SIM-018]', async () => {
      const { one, two } = world;
      const id = fresh('call');
      expect(await one.tables.answers.claim(id, 'body', 15, 60)).toBe(true);
      expect(await two.tables.answers.claim(id, 'body', 15, 60)).toBe(false);
      await pause(5);
      expect(await two.tables.answers.claim(id, 'body', 0, 60)).toBe(true); // the process that claimed it has died
      expect(await one.tables.answers.find(id)).toMatchObject({ bodyHash: 'body', state: 'pending', live: true });
      await expect(
        one.transaction(async (tx) => {
          await one.tables.answers.record(tx, id, '{"n":0}', 7);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await one.tables.answers.find(id)).toMatchObject({ state: 'pending' });
      await one.transaction(async (tx) => {
        expect(
          await one.tables.answers.recordAll(
            tx,
            [
              { commandId: id, bodyHash: 'body', answer: '{"n":1}' },
              { commandId: `${id}b`, bodyHash: null, answer: '{"n":2}' },
            ],
            7,
          ),
        ).toEqual(new Map());
      });
      await two.transaction(async (tx) => {
        expect(
          await two.tables.answers.recordAll(
            tx,
            [
              { commandId: id, bodyHash: 'body', answer: '{"n":8}' },
              { commandId: `${id}d`, bodyHash: null, answer: '{"n":9}' },
            ],
            7,
          ),
        ).toEqual(new Map([[id, '{"n":1}']]));
      });
      await expect(
        one.transaction((tx) =>
          one.tables.answers.recordAll(
            tx,
            [1, 2].map(() => ({ commandId: `${id}e`, bodyHash: null, answer: '{}' })),
            7,
          ),
        ),
      ).rejects.toMatchObject({ code: '21000' });
      await two.transaction((tx) => two.tables.answers.record(tx, id, '{"n":3}', 7));
      await one.tables.answers.drop(id);
      expect(await two.tables.answers.find(id)).toMatchObject({
        bodyHash: 'body',
        state: 'done',
        answer: '{"n":1}',
        live: true,
      });
      expect(await two.tables.answers.claim(id, 'body', 0, 60)).toBe(false);
      await one.tables.answers.claim(`${id}c`, null, 15, 60);
      await one.tables.answers.drop(`${id}c`);
      expect(await one.tables.answers.find(`${id}c`)).toBeNull();
    });

    test('an expired answer counts as absent: its id is claimed and answered again [ANSWER-009]', async () => {
      const { answers } = world.one.tables;
      const id = fresh('over');
      const refuse = (n: number): Promise<boolean> =>
        world.one.transaction((tx) => answers.record(tx, id, `{"n":${n}}`, 0));
      expect(await refuse(1)).toBe(true);
      await pause(5);
      expect(await answers.find(id)).toMatchObject({ state: 'done', live: false });
      expect(await answers.claim(id, 'another', 15, 60)).toBe(true);
      expect(await answers.find(id)).toEqual({ bodyHash: 'another', state: 'pending', answer: null, live: true });
      expect(await refuse(2)).toBe(true);
      await pause(5);
      const rows = [{ commandId: id, bodyHash: 'another', answer: '{"n":3}' }];
      expect(await world.one.transaction((tx) => answers.recordAll(tx, rows, 0))).toEqual(new Map());
      await pause(5);
      await world.one.transaction((tx) => answers.conclude(tx, id, '{"n":4}', 7));
      expect(await answers.find(id)).toMatchObject({ state: 'done', answer: '{"n":4}', live: true });
      expect(await refuse(5)).toBe(false);
      expect(await answers.claim(id, 'another', 0, 60)).toBe(false);
      expect(await world.one.transaction((tx) => answers.recordAll(tx, rows, 7))).toEqual(new Map([[id, '{"n":4}']]));
    });

    test('a call that is open is taken over by no repeat, and is concluded once [SAGA-003]', async () => {
      const { one, two } = world;
      const id = fresh('saga-call');
      expect(await one.tables.answers.claim(id, 'body', 15, 60)).toBe(true);
      expect(await one.transaction((tx) => one.tables.answers.open(tx, id, 'another'))).toBe(false);
      expect(await one.transaction((tx) => one.tables.answers.open(tx, id, 'body'))).toBe(true);
      expect(await two.transaction((tx) => two.tables.answers.open(tx, id, 'body'))).toBe(false);
      await pause(5);
      expect(await two.tables.answers.claim(id, 'body', 0, 60)).toBe(false);
      await two.tables.answers.drop(id);
      await two.transaction((tx) => two.tables.answers.record(tx, id, '{"n":1}', 7));
      expect(await two.tables.answers.find(id)).toMatchObject({ bodyHash: 'body', state: 'open', live: true });
      await one.transaction((tx) => one.tables.answers.conclude(tx, id, '{"n":2}', 7));
      await two.transaction((tx) => two.tables.answers.conclude(tx, id, '{"n":3}', 7));
      expect(await two.tables.answers.find(id)).toMatchObject({ state: 'done', answer: '{"n":2}' });
      expect(await one.transaction((tx) => one.tables.answers.open(tx, `${id}b`, null))).toBe(true);
    });

    test('a row of a saga begins once and ends once, with its transaction [SAGA-002]', async () => {
      const { one, two } = world;
      const name = fresh('saga');
      const row = { name, object: '7', commandId: 'c', replyTo: 'here', waitsAs: null, note: '{"n":1}' };
      const before = (await one.tables.sagas.underWay()).count;
      await expect(
        one.transaction(async (tx) => {
          await one.tables.sagas.begin(tx, row);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await two.tables.sagas.isUnderWay(name, '7')).toBe(false);
      expect(await one.transaction((tx) => one.tables.sagas.begin(tx, row))).toBe(true);
      expect(await two.transaction((tx) => two.tables.sagas.begin(tx, row))).toBe(false);
      expect(await two.tables.sagas.isUnderWay(name, '7')).toBe(true);
      expect((await two.tables.sagas.underWay()).count).toBe(before + 1);
      expect(await two.transaction((tx) => two.tables.sagas.end(tx, name, '7'))).toEqual(row);
      expect(await one.transaction((tx) => one.tables.sagas.end(tx, name, '7'))).toBeNull();
    });

    test('many begin and end together, each once, those that are not there left out [SAGA-002]', async () => {
      const { one, two } = world;
      const name = fresh('saga');
      const begun = { name, commandId: null, replyTo: null, waitsAs: null, note: '{"n":1}' };
      const rows = ['1', '2', '3'].map((object) => ({ ...begun, object }));
      expect(await one.transaction((tx) => one.tables.sagas.beginAll(tx, rows))).toBe(true);
      const end = (...objects: string[]) => two.transaction((tx) => two.tables.sagas.endAll(tx, name, objects));
      const ended = await end('3', '1', '9', '1');
      expect(ended.map(({ object }) => object).sort()).toEqual(['1', '3']);
      expect(ended[0]).toMatchObject({ name, commandId: null, replyTo: null });
      expect(await end('1', '3')).toEqual([]);
      const told = await one.transaction((tx) => one.tables.sagas.endAll(tx, name, ['2'], { notes: true }));
      expect([ended[0]?.note, told[0]?.note]).toEqual([null, '{"n":1}']);
      const later = { ...begun, object: '4', commandId: 'c', replyTo: 'here', waitsAs: 'c#first:4' };
      expect(await one.transaction((tx) => one.tables.sagas.beginAll(tx, [later]))).toBe(true);
      expect(await end('4')).toEqual([later]);
      await one.transaction((tx) => one.tables.sagas.begin(tx, rows[1]!));
      expect(await one.tables.sagas.isUnderWay(name, '2')).toBe(true);
    });

    test('a saga that is postponed comes back after its time, to one transaction [SAGA-002]', async () => {
      const { one, two } = world;
      const name = fresh('saga');
      const row = { name, object: '7', commandId: null, replyTo: null, waitsAs: null, note: null };
      const due = async (): Promise<number> =>
        (await two.transaction((tx) => two.tables.sagas.takeDue(tx, 10))).filter((found) => found.name === name).length;
      await one.transaction((tx) => one.tables.sagas.begin(tx, row));
      expect(await one.transaction((tx) => one.tables.sagas.postpone(tx, name, 'another', 60))).toBe(0);
      expect(await one.transaction((tx) => one.tables.sagas.postpone(tx, name, '7', 60))).toBe(1);
      expect(await due()).toBe(0);
      const { postponed, postponedNames } = await one.tables.sagas.underWay();
      expect([postponed, postponedNames]).toEqual([1, [`${name} 7`]]);
      expect(await one.transaction((tx) => one.tables.sagas.postpone(tx, name, '7', 0))).toBe(2);
      await pause(5);
      expect(await due()).toBe(1);
      expect(await due()).toBe(0);
      await one.transaction((tx) => one.tables.sagas.end(tx, name, '7'));
    });

    test('timers come in the order they fall due, to one transaction, later after failure [SIM-019]', async () => {
      const { one, two } = world;
      const kind = fresh('midnight');
      const set = (id: string, dueAt: number) =>
        one.transaction((tx) => one.tables.timers.set(tx, { kind, id, dueAt, payload: '1' }));
      await set('b', 2_000);
      await set('a', 1_000);
      await set('later', 9_000);
      const [inside, go] = [gate(), gate()];
      const first = one.transaction(async (tx) => {
        expect(await one.tables.timers.takeDue(tx, [kind], 5_000, 1)).toEqual([
          { kind, id: 'a', dueAt: 1_000, payload: '1' },
        ]);
        inside.open();
        await go.passed;
      });
      await inside.passed;
      await expect(
        two.transaction(async (tx) => {
          expect(await two.tables.timers.takeDue(tx, [kind], 5_000, 10)).toMatchObject([{ id: 'b' }]);
          throw new Error('failed');
        }),
      ).rejects.toThrow('failed');
      go.open();
      await first;
      expect(await two.tables.timers.next([kind])).toEqual({ dueAt: 2_000, retryInMs: null });
      await two.tables.timers.postpone(kind, 'b', 60);
      const take = (now: number) => two.transaction((tx) => two.tables.timers.takeDue(tx, [kind], now, 10));
      expect(await take(5_000)).toEqual([]);
      const { dueAt, retryInMs } = await two.tables.timers.next([kind]);
      expect(dueAt).toBe(9_000);
      expect(retryInMs).toBeGreaterThan(0);
      expect(retryInMs).toBeLessThanOrEqual(1_000);
      await pause(1_100);
      expect(await take(5_000)).toMatchObject([{ id: 'b' }]);
      expect(await take(5_000)).toEqual([]);
      expect(await take(9_000)).toMatchObject([{ id: 'later' }]);
      expect(await two.tables.timers.next([kind])).toEqual({ dueAt: null, retryInMs: null });
    });

    test('timers that are due come together, in the order they fell due, up to a limit [SIM-019]', async () => {
      const { one } = world;
      const kind = fresh('batch');
      await one.transaction(async (tx) => {
        for (const [id, dueAt] of [
          ['c', 3_000],
          ['a', 1_000],
          ['b', 1_000],
          ['d', 4_000],
        ] as const)
          await one.tables.timers.set(tx, { kind, id, dueAt, payload: '1' });
      });
      const take = (limit: number) => one.transaction((tx) => one.tables.timers.takeDue(tx, [kind], 3_500, limit));
      expect((await take(2)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect((await take(9)).map(({ id }) => id)).toEqual(['c']);
      expect(await one.tables.timers.next([kind])).toEqual({ dueAt: 4_000, retryInMs: null });
    });

    test('facts are claimed once; relay cursors never go back; members are those seen lately [SIM-020]', async () => {
      const { one, two } = world;
      const fact = fresh('fact');
      expect(await one.tables.facts.claim(fact, '1')).toBe('1');
      expect(await two.tables.facts.claim(fact, '2')).toBe('1');
      const stream = fresh('stream');
      await one.tables.streams.saveRelayed(new Map([[stream, { sent: 5, kafkaEnd: '70', sentAt: 4_001 }]]));
      await two.tables.streams.saveRelayed(new Map([[stream, { sent: 3, kafkaEnd: null, sentAt: null }]]));
      expect((await one.tables.streams.relayed()).get(stream)).toEqual({ sent: 5, kafkaEnd: '70', sentAt: 4_001 });
      // Sent again to a log that had lost it: the same number, and another end.
      await two.tables.streams.saveRelayed(new Map([[stream, { sent: 5, kafkaEnd: '9', sentAt: 5_000 }]]));
      expect((await one.tables.streams.relayed()).get(stream)).toEqual({ sent: 5, kafkaEnd: '9', sentAt: 5_000 });
      const consumer = fresh('members');
      expect(await one.tables.owners.registerInstance(consumer, 'one', 4_000)).toBe(1);
      expect(await two.tables.owners.registerInstance(consumer, 'two', 50)).toBe(2);
      await pause(80);
      expect(await one.tables.owners.registerInstance(consumer, 'one', 4_000)).toBe(1);
      await one.tables.owners.unregisterInstance(consumer, 'one');
      expect(await two.tables.owners.registerInstance(consumer, 'two', 4_000)).toBe(1);
    });
  });
}

import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Message } from '@bourse/events';
import type { Database } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { eventually, type TestDatabases } from '@bourse/testing';
import { Fenced, type Delivery, type Log, type OwnedPartition } from '../src/index.js';

/**
 * One process's log: its own name, its own pools. `close` frees what it owns; `kill` stops it without freeing, as
 * SIGKILL would.
 */
export interface LogProcess {
  readonly log: Log;
  readonly alarms: Alarms;
  open(schema: string): Promise<Database>;
  close(): Promise<void>;
}
export interface LogWorld {
  readonly test: TestDatabases;
  /** Another process. Those of one `group` see each other's commits. */
  process(instance: string): Promise<LogProcess>;
  end(): Promise<void>;
  /** How long a message may take to come through. */
  readonly patienceMs: number;
}

const TOPIC = 'spot.events';
const word = (text: string): Message => ({ type: 'word.v1', key: 'k', body: { text } });
const texts = (deliveries: readonly Delivery[]): string[] =>
  deliveries
    .flatMap((one) => (one.kind === 'row' ? one.messages : [one.message]))
    .map((message) => (message.body as { text: string }).text);

/** The rules of the log, the same for every kind of it. */
export function logSuite(name: string, start: () => Promise<LogWorld>): void {
  describe(`${name} log`, () => {
    let world: LogWorld;
    let serial = 0;
    beforeAll(async () => {
      world = await start();
    }, 60_000);
    afterAll(async () => {
      await world?.end();
    }, 60_000);

    /** A sender and a consumer of their own for one test. */
    async function pair(): Promise<{
      sender: Database;
      reader: Database;
      one: LogProcess;
      consumer: string;
      schema: string;
    }> {
      serial += 1;
      const one = await world.process(`p${serial}`);
      const schema = `sender${serial}`;
      const sender = await one.open(schema);
      const reader = await one.open(`reader${serial}`);
      await reader.execute(
        'create table if not exists seen (at bigint generated always as identity, text text not null)',
      );
      return { sender, reader, one, consumer: `reader${serial}.words`, schema };
    }
    const emit = (sender: Database, ...words: string[]): Promise<void> =>
      sender.transaction(async (tx) => {
        for (const text of words) tx.emit(TOPIC, 0, word(text));
      });
    /** Stores what it takes, in the transaction of its position; only what this test's sender has sent. */
    const storing =
      (reader: Database, schema: string) =>
      async (owned: OwnedPartition): Promise<void> => {
        for (;;) {
          const batch = await owned.take(100);
          await reader.transaction(async (tx) => {
            const mine = batch.filter(
              (one) =>
                one.kind === 'command' ||
                one.row.stream.startsWith(`${schema}>`) ||
                one.row.stream.startsWith(`${schema}.`),
            );
            for (const text of texts(mine)) await tx.execute('insert into seen (text) values ($1)', [text]);
            await owned.advance(tx, batch);
          });
        }
      };
    const seen = async (reader: Database): Promise<string[]> =>
      (await reader.query<{ text: string }>('select text from seen order by at')).map((row) => row.text);

    test('emitted messages arrive once and in order; rolled back ones never do [LOG-001]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      one.log.own({ consumer, topic: TOPIC, partition: 0, database: reader, run: storing(reader, schema) });
      await emit(sender, 'a', 'b');
      await expect(
        sender.transaction(async (tx) => {
          tx.emit(TOPIC, 0, word('never'));
          throw new Error('changed my mind');
        }),
      ).rejects.toThrow('changed my mind');
      for (let n = 0; n < 20; n += 1) await emit(sender, `c${n}`);
      await eventually(async () => (await seen(reader)).length >= 22, world.patienceMs);
      expect(await seen(reader)).toEqual(['a', 'b', ...Array.from({ length: 20 }, (_, n) => `c${n}`)]);
      const rows = await sender.rowsOf(`${schema}>${TOPIC}/0`, 1, 100);
      expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
      await one.close();
    }, 60_000);

    test('many transactions at once: numbers without holes, each message once [LOG-002]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      one.log.own({ consumer, topic: TOPIC, partition: 0, database: reader, run: storing(reader, schema) });
      await Promise.all(Array.from({ length: 100 }, (_, n) => emit(sender, `w${n}`)));
      await eventually(async () => (await seen(reader)).length >= 100, world.patienceMs);
      expect(new Set(await seen(reader)).size).toBe(100);
      expect((await seen(reader)).length).toBe(100);
      const rows = await sender.rowsOf(`${schema}>${TOPIC}/0`, 1, 300);
      expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
      for (const [index, row] of rows.entries()) if (index > 0) expect(row.previousHash).toBe(rows[index - 1]?.hash);
      await one.close();
    }, 60_000);

    test('a batch whose transaction fails is delivered again; nothing is lost or doubled [LOG-003]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      let failures = 3;
      const store = storing(reader, schema);
      one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: (owned) =>
          store({
            ...members(owned),
            advance: async (tx, deliveries) => {
              await owned.advance(tx, deliveries);
              if (failures-- > 0) throw new Error('just before the commit');
            },
          }),
      });
      for (let n = 0; n < 10; n += 1) await emit(sender, `f${n}`);
      await eventually(async () => (await seen(reader)).length >= 10, world.patienceMs);
      expect(await seen(reader)).toEqual(Array.from({ length: 10 }, (_, n) => `f${n}`));
      expect(failures).toBeLessThan(0);
      await one.close();
    }, 60_000);

    test('a restart continues from the stored positions and reads messages sent meanwhile [LOG-004]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      const first = one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: storing(reader, schema),
      });
      await emit(sender, 'before');
      await eventually(async () => (await seen(reader)).length >= 1, world.patienceMs);
      await first.stop();
      await emit(sender, 'between 1');
      await emit(sender, 'between 2');
      one.log.own({ consumer, topic: TOPIC, partition: 0, database: reader, run: storing(reader, schema) });
      await emit(sender, 'after');
      await eventually(async () => (await seen(reader)).length >= 4, world.patienceMs);
      expect(await seen(reader)).toEqual(['before', 'between 1', 'between 2', 'after']);
      await one.close();
    }, 60_000);

    test('a row that waits comes again after a restart, though later ones were applied [LOG-070]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      const other = await one.open(`${schema}b`);
      const store = storing(reader, schema);
      const waiting: string[] = [];
      const isWaiting = (delivery: Delivery): boolean =>
        delivery.kind === 'row' && delivery.row.stream.startsWith(`${schema}>`);
      const first = one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: async (owned) => {
          for (;;) {
            const batch = await owned.take(100);
            waiting.push(...texts(batch.filter(isWaiting)));
            await reader.transaction((tx) =>
              owned.advance(
                tx,
                batch.filter((delivery) => !isWaiting(delivery)),
              ),
            );
          }
        },
      });
      await emit(sender, 'early');
      await eventually(() => waiting.length === 1, world.patienceMs);
      await emit(other, 'in time');
      await eventually(
        async () =>
          (
            await reader.query('select 1 from position where consumer = $1 and stream = $2', [
              consumer,
              `${schema}b>${TOPIC}/0`,
            ])
          ).length === 1,
        world.patienceMs,
      );
      await first.stop();
      one.log.own({ consumer, topic: TOPIC, partition: 0, database: reader, run: store });
      await emit(sender, 'next');
      await eventually(async () => (await seen(reader)).length >= 2, world.patienceMs);
      expect(await seen(reader)).toEqual(['early', 'next']);
      expect(one.alarms.list()).toEqual([]);
      await one.close();
    }, 60_000);

    test('work that fails while its lease is held is logged as an error, and taken up again [LOG-055]', async () => {
      const { reader, one, consumer } = await pair();
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      let runs = 0;
      one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: () => {
          runs += 1;
          return Promise.reject(new Error('the books do not open'));
        },
      });
      await eventually(() => runs > 1);
      expect(logged.mock.calls.map(([line]) => String(line))).toContainEqual(
        expect.stringContaining(`${consumer}/0 failed and loads again: Error: the books do not open`),
      );
      logged.mockRestore();
      await one.close();
    });

    test('a sleeping owner that wakes after a takeover commits nothing [LOG-005]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      let asleep: { owned: OwnedPartition; batch: readonly Delivery[] } | undefined;
      one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: async (owned) => {
          if (asleep) return storing(reader, schema)(owned);
          const batch = await owned.take(100);
          asleep = { owned, batch };
          await new Promise((resolve) => owned.signal.addEventListener('abort', resolve, { once: true }));
          throw new Fenced('woken');
        },
      });
      await emit(sender, 'mine');
      const zombie = await eventually(() => asleep, world.patienceMs);
      // The steps of another process when our lease has run out while we slept.
      await world.test.query(
        `update ${reader.schema}.owner
          set epoch = epoch + 1, owner = 'another', lease_until = now() + interval '1 second'
          where consumer = $1`,
        [consumer],
      );
      await expect(
        reader.transaction(async (tx) => {
          await tx.execute(`insert into seen (text) values ('forged')`);
          await zombie.owned.advance(tx, zombie.batch);
        }),
      ).rejects.toBeInstanceOf(Fenced);
      expect(await seen(reader)).toEqual([]);
      // The lease of the other runs out, and the message goes to the next owner of the partition.
      await eventually(async () => (await seen(reader)).length >= 1, world.patienceMs + 10_000);
      expect(await seen(reader)).toEqual(['mine']);
      await one.close();
    }, 60_000);

    test('a second process waits for the lease of a killed owner, then takes over without loss [LOG-006]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      let firstDied = false;
      one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: async (owned) => {
          if (firstDied) return new Promise(() => undefined);
          await owned.take(1);
          firstDied = true; // it has taken a message and never commits it
          throw new Error('killed');
        },
      });
      await emit(sender, 'taken by the dead');
      await eventually(() => firstDied, world.patienceMs);
      await one.close();
      const two = await world.process(`heir${serial}`);
      await two.open(schema);
      const heirs = await two.open(reader.schema);
      await world.test.query(
        `update ${reader.schema}.owner
          set owner = 'dead', lease_until = now() + interval '2 seconds'
          where consumer = $1`,
        [consumer],
      );
      const since = Date.now();
      two.log.own({ consumer, topic: TOPIC, partition: 0, database: heirs, run: storing(heirs, schema) });
      await eventually(async () => (await seen(heirs)).length >= 1, world.patienceMs + 10_000);
      expect(Date.now() - since).toBeGreaterThan(1_500);
      expect(await seen(heirs)).toEqual(['taken by the dead']);
      await two.close();
    }, 60_000);

    test('direct commands reach the owner; without one they wait or are refused, never lost [LOG-007]', async () => {
      const { reader, one, consumer, schema } = await pair();
      one.log.own({ consumer, topic: 'ledger.commands', partition: 0, database: reader, run: storing(reader, schema) });
      for (let n = 0; n < 5; n += 1) await one.log.send('ledger.commands', 0, word(`d${n}`));
      await eventually(async () => (await seen(reader)).length >= 5, world.patienceMs);
      expect(await seen(reader)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
      await one.close();
    }, 60_000);

    test('a view that meets a message it can never apply writes a dead letter and continues [LOG-008]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      one.log.consume({
        consumer,
        topic: TOPIC,
        database: reader,
        handle: async (messages, tx) => {
          for (const message of messages) {
            const { text } = message.body as { text: string };
            if (text === 'poison') throw new Error('cannot be applied');
            if (schema) await tx.execute('insert into seen (text) values ($1)', [text]);
          }
        },
      });
      await emit(sender, 'good', 'poison', 'better');
      await emit(sender, 'best');
      await eventually(async () => (await seen(reader)).includes('best'), world.patienceMs + 10_000);
      expect((await seen(reader)).filter((text) => ['good', 'poison', 'better', 'best'].includes(text))).toEqual([
        'good',
        'better',
        'best',
      ]);
      const letters = await reader.query<{ message: string; error: string }>(
        'select message, error from dead_letter where consumer = $1',
        [consumer],
      );
      expect(letters.map((letter) => [(JSON.parse(letter.message) as Message).body, letter.error])).toEqual([
        [{ text: 'poison' }, 'cannot be applied'],
      ]);
      expect(one.alarms.list().map((alarm) => alarm.name)).toContain(`dead-letter:${consumer}`);
      await one.close();
    }, 60_000);

    test('a watcher of a topic gets new messages, beside all others, and stores no position [LOG-050]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      const told = [new Set<string>(), new Set<string>()] as const;
      const watch = (into: Set<string>): { stop(): Promise<void> } =>
        one.log.watch({
          consumer,
          topic: TOPIC,
          take: (messages) => {
            for (const { body } of messages) into.add((body as { text: string }).text);
          },
        });
      const [first] = told.map(watch);
      // Messages that come before the watcher is ready are skipped; the newest is what counts.
      const sendUntil = async (enough: (text: string) => boolean): Promise<string> => {
        for (let n = 0; ; n += 1) {
          const text = `${schema} ${Date.now()} ${n}`;
          await emit(sender, text);
          const isKnown = await eventually(() => enough(text), 500).catch(() => false);
          if (isKnown) return text;
          if (n > world.patienceMs / 100) throw new Error('no watcher was called');
        }
      };
      await sendUntil((text) => told.every((texts) => texts.has(text)));
      await first!.stop();
      const last = await sendUntil((text) => told[1].has(text));
      expect(told[0].has(last)).toBe(false);
      expect(await reader.query('select 1 from position where consumer = $1', [consumer])).toEqual([]);
      expect(await reader.query('select 1 from owner where consumer = $1', [consumer])).toEqual([]);
      await one.close();
    }, 60_000);

    test('a follower takes each message once, whichever owner had it; the next misses none [LOG-043]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      const into =
        (got: string[]) =>
        (messages: readonly Message[]): void => {
          got.push(
            ...messages
              .map((message) => (message.body as { text: string }).text)
              .filter((text) => text.startsWith(schema)),
          );
        };
      const noted = async (): Promise<number> =>
        Number(
          (
            await world.test.query<{ number: string }>(
              `select number from ${reader.schema}.position where consumer = $1 and stream = $2`,
              [consumer, `${schema}>${TOPIC}/0`],
            )
          )[0]?.number ?? 0,
        );
      const got: string[] = [];
      one.log.follow({ consumer, topic: TOPIC, database: reader, take: into(got) });
      await emit(sender, `${schema} a`, `${schema} b`);
      await eventually(() => got.length >= 2, world.patienceMs);
      await eventually(async () => (await noted()) === 1, world.patienceMs);
      await emit(sender, `${schema} c`);
      await eventually(() => got.length >= 3, world.patienceMs);
      // Before the position is stored another process takes the partition and dies: the rows since then come again.
      await world.test.query(
        `update ${reader.schema}.owner
          set epoch = epoch + 1, owner = 'dead', lease_until = '-infinity'
          where consumer = $1`,
        [consumer],
      );
      await emit(sender, `${schema} d`);
      await eventually(async () => (await noted()) === 3, world.patienceMs + 10_000);
      expect(got).toEqual(['a', 'b', 'c', 'd'].map((letter) => `${schema} ${letter}`));
      await emit(sender, `${schema} e`);
      await eventually(() => got.length >= 5, world.patienceMs);
      await one.close();
      const two = await world.process(`follower${serial}`);
      const again = await two.open(schema);
      const heir: string[] = [];
      two.log.follow({ consumer, topic: TOPIC, database: await two.open(reader.schema), take: into(heir) });
      await emit(again, `${schema} f`);
      await eventually(() => heir.includes(`${schema} f`), world.patienceMs + 10_000);
      // It noted `e` before it stopped, or it did not.
      expect([['e', 'f'], ['f']].map((letters) => letters.map((letter) => `${schema} ${letter}`))).toContainEqual(heir);
      await two.close();
    }, 60_000);

    test('a forked stream stops at the fork with an alarm, and no other stream with it [LOG-009]', async () => {
      const { sender, reader, one, consumer, schema } = await pair();
      const owner = one.log.own({
        consumer,
        topic: TOPIC,
        partition: 0,
        database: reader,
        run: storing(reader, schema),
      });
      await emit(sender, 'first');
      await eventually(async () => (await seen(reader)).length >= 1, world.patienceMs);
      await owner.stop();
      // The reader's database remembers another history than the sender's.
      const stream = `${schema}>${TOPIC}/0`;
      await world.test.query(
        `update ${reader.schema}.position set hash = 'another history' where consumer = $1 and stream = $2`,
        [consumer, stream],
      );
      one.log.own({ consumer, topic: TOPIC, partition: 0, database: reader, run: storing(reader, schema) });
      await emit(sender, 'after the fork');
      await eventually(
        () => one.alarms.list().some((alarm) => alarm.name === `stream:${consumer}:${stream}`),
        world.patienceMs,
      );
      const other = await one.open(`${schema}b`);
      await other.transaction(async (tx) => tx.emit(TOPIC, 0, word('other')));
      await eventually(
        async () =>
          (
            await reader.query('select 1 from position where consumer = $1 and stream = $2', [
              consumer,
              `${schema}b>${TOPIC}/0`,
            ])
          ).length === 1,
        world.patienceMs,
      );
      expect(await seen(reader)).toEqual(['first']);
      await one.close();
    }, 60_000);
  });
}

/** Members of an owned partition as plain ones, so that a test can replace one of them. */
export function members(owned: OwnedPartition): OwnedPartition {
  return {
    consumer: owned.consumer,
    topic: owned.topic,
    partition: owned.partition,
    epoch: owned.epoch,
    signal: owned.signal,
    take: (max) => owned.take(max),
    advance: (tx, deliveries) => owned.advance(tx, deliveries),
    stopStream: (stream, number, reason) => owned.stopStream(stream, number, reason),
  };
}

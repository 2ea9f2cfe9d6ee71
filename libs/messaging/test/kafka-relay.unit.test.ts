import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chainHash, type Database, type OutboxRow, type RelayCursor } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { delay } from '../src/log/delay.js';
import { KafkaRelay } from '../src/kafka/kafka-relay.js';
import { SendFailed, type KafkaSender } from '../src/kafka/kafka-sender.js';
import { eventually } from '@bourse/testing/eventually';

test('a relay that is woken before it knows its cursors begins no stream at its first row [LOG-075]', async () => {
  const [quick, slow] = ['spot>spot.events/0', 'spot>user.events/0'];
  const sent: string[] = [];
  const cursor = { sent: 50, kafkaEnd: '50', sentAt: 0 };
  const cursors = new Map<string, RelayCursor>([quick, slow].map((stream) => [stream, cursor]));
  const row = (stream: string, number: number) => ({
    stream,
    number,
    payload: '',
    previousHash: '',
    hash: chainHash('', ''),
  });
  const database = {
    schema: 'spot',
    rowsOf: (stream: string, number: number) => Promise.resolve(number > 51 ? [] : [row(stream, number)]),
    tables: {
      streams: {
        heads: () => Promise.resolve([quick, slow].map((name) => ({ name, next: 52, hash: '' }))),
        relayed: () => delay(20).then(() => cursors),
        saveRelayed: () => Promise.resolve(),
      },
    },
  } as unknown as Database;
  const sender = {
    endOf: () => '51',
    send: (_topic: string, _partition: number, { headers }: { headers: { stream: string; number: string } }) => {
      sent.push(`${headers.stream} #${headers.number}`);
      return Promise.resolve();
    },
  } as unknown as KafkaSender;
  const end = new AbortController();
  const topics = { nameOf: (topic: string) => topic, lost: () => delay(20).then(() => []) };
  const relay = new KafkaRelay(database, sender, topics, new Alarms(), end.signal);
  const running = relay.run();
  await relay.poll();
  relay.offer([row(slow, 51) as unknown as OutboxRow]);
  await delay(30);
  await relay.poll();
  await delay(100);
  expect(sent).toEqual([`${quick} #51`, `${slow} #51`]);
  end.abort();
  await running;
});

test('a cursor keeps the latest time of its records when the clock is set back [LOG-078]', async () => {
  const stream = 'spot>spot.events/0';
  const ahead = Date.now() + 86_400_000;
  const stored: RelayCursor[] = [];
  const database = {
    schema: 'spot',
    rowsOf: (_: string, number: number) =>
      Promise.resolve([{ stream, number, payload: '', previousHash: '', hash: chainHash('', '') }]),
    tables: {
      streams: {
        heads: () => Promise.resolve([{ name: stream, next: 52, hash: '' }]),
        relayed: () => Promise.resolve(new Map([[stream, { sent: 50, kafkaEnd: '50', sentAt: ahead }]])),
        saveRelayed: (cursors: ReadonlyMap<string, RelayCursor>) => Promise.resolve(stored.push(...cursors.values())),
      },
    },
  } as unknown as Database;
  const sender = { endOf: () => '51', send: () => Promise.resolve() } as unknown as KafkaSender;
  const end = new AbortController();
  const topics = { nameOf: (topic: string) => topic, lost: () => Promise.resolve([]) };
  const running = new KafkaRelay(database, sender, topics, new Alarms(), end.signal).run();
  await eventually(() => stored.length > 0);
  end.abort();
  await running;
  // Records of the day before the clock was set back lie before this end: by the new time they would seem to be later.
  expect(stored).toEqual([{ sent: 51, kafkaEnd: '51', sentAt: ahead }]);
});

test('a cursor of a stream that is sent again has the time of the new log [LOG-085]', async () => {
  const stream = 'spot>spot.events/0';
  const ahead = Date.now() + 86_400_000;
  const stored: RelayCursor[] = [];
  const database = {
    schema: 'spot',
    rowsOf: (_: string, number: number) =>
      Promise.resolve([{ stream, number, payload: '', previousHash: '', hash: chainHash('', '') }]),
    tables: {
      streams: {
        heads: () => Promise.resolve([{ name: stream, next: 51, hash: '' }]),
        relayed: () => Promise.resolve(new Map([[stream, { sent: 50, kafkaEnd: '50', sentAt: ahead }]])),
        saveRelayed: (cursors: ReadonlyMap<string, RelayCursor>) => Promise.resolve(stored.push(...cursors.values())),
      },
    },
  } as unknown as Database;
  const sender = { endOf: () => '9', send: () => Promise.resolve() } as unknown as KafkaSender;
  const end = new AbortController();
  const topics = { nameOf: (topic: string) => topic, lost: (ends: unknown) => Promise.resolve(ends) };
  const running = new KafkaRelay(database, sender, topics as never, new Alarms(), end.signal).run();
  await eventually(() => stored.length > 0);
  end.abort();
  await running;
  expect(stored[0]?.sentAt).toBeLessThanOrEqual(Date.now());
});

describe('a topic that is lost while its rows are under way [LOG-073]', () => {
  const stream = 'spot>spot.events/0';
  const rows: object[] = [];
  for (let number = 1, previousHash = ''; number <= 53; number += 1) {
    const hash = chainHash(previousHash, '');
    rows.push({ stream, number, payload: '', previousHash, hash });
    previousHash = hash;
  }
  /** Numbers of the rows that were sent. */
  let sent: number[];
  let answer: (number: number) => Promise<void>;
  let rowsOf: (number: number) => Promise<unknown[]>;
  let stored: RelayCursor[];
  let end: AbortController;
  let relay: KafkaRelay;
  let running: Promise<void>;
  beforeEach(() => {
    [sent, stored, end] = [[], [], new AbortController()];
    answer = () => Promise.resolve();
    rowsOf = (number) => Promise.resolve(rows.slice(number - 1));
    const database = {
      schema: 'spot',
      rowsOf: (_: string, number: number) => rowsOf(number),
      tables: {
        streams: {
          heads: () => Promise.resolve([{ name: stream, next: 54, hash: '' }]),
          relayed: () => Promise.resolve(new Map([[stream, { sent: 51, kafkaEnd: '51', sentAt: 0 }]])),
          saveRelayed: (cursors: ReadonlyMap<string, RelayCursor>) => Promise.resolve(stored.push(...cursors.values())),
        },
      },
    } as unknown as Database;
    const sender = {
      endOf: () => '1',
      send: (_topic: string, _partition: number, { headers }: { headers: { number: string } }) => {
        sent.push(Number(headers.number));
        return answer(Number(headers.number));
      },
    } as unknown as KafkaSender;
    const topics = { nameOf: (topic: string) => topic, lost: () => Promise.resolve([]) };
    relay = new KafkaRelay(database, sender, topics, new Alarms(), end.signal);
    running = relay.run();
  });
  afterEach(async () => {
    end.abort();
    await running;
  });

  test('is filled from its first row, although rows of before are acknowledged meanwhile', async () => {
    let acknowledge = (): void => undefined;
    answer = () => new Promise((resolve) => (acknowledge = resolve));
    await eventually(() => sent.length > 0);
    await relay.rewind('spot.events');
    // The rows of before are written, and the first try to fill the topic fails.
    let tries = 0;
    answer = () => ((tries += 1) === 1 ? Promise.reject(new SendFailed(true, new Error('away'))) : Promise.resolve());
    sent.length = 0;
    acknowledge();
    await eventually(() => sent.filter((number) => number === 1).length === 2);
  });

  test('stores no cursor until its rows are sent again, also when they cannot be read at first', async () => {
    await eventually(() => sent.includes(53));
    let tries = 0;
    const read = rowsOf;
    rowsOf = (number) => ((tries += 1) === 1 ? Promise.reject(new Error('away')) : read(number));
    stored.length = 0;
    sent.length = 0;
    await relay.rewind('spot.events');
    expect(stored).toEqual([]);
    await eventually(() => sent.includes(53));
    expect(sent[0]).toBe(1);
  });
});

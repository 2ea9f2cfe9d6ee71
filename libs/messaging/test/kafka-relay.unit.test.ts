import { expect, test } from '@jest/globals';
import { chainHash, type Database, type OutboxRow, type RelayCursor } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { delay } from '../src/log/delay.js';
import { KafkaRelay } from '../src/kafka/kafka-relay.js';
import type { KafkaSender } from '../src/kafka/kafka-sender.js';

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

import { expect, test } from '@jest/globals';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { KafkaPartition, looseFrom } from '../src/kafka/kafka-partition.js';

const HOUR_MS = 3_600_000;

test('fetched records are passed on at once, and the next fetch waits for the pause [LOG-067]', async () => {
  const abort = new AbortController();
  const kafka: Pick<Kafka, 'consumer'> = { consumer: () => ({}) as Consumer };
  const partition = new KafkaPartition(
    { consumer: 'market.trades', topic: 'ledger.commands', partition: 0, fetchPauseMs: HOUR_MS },
    looseFrom(0n),
    abort,
    'ledger.commands',
    kafka,
    {
      stopped: () => undefined,
      resumed: () => undefined,
      silent: () => undefined,
      trouble: () => undefined,
      refused: (what) => {
        throw new Error(what);
      },
      forged: (what) => {
        throw new Error(what);
      },
      fatal: (reason) => {
        throw new Error(reason);
      },
    },
  );
  const message = { type: 'ledger.command.v1', key: '7', body: {} };
  let isPaused = true;
  const received = partition
    .receive({
      batch: {
        highWatermark: '1',
        messages: [
          { offset: '0', timestamp: '0', headers: {}, value: Buffer.from(JSON.stringify(message)) } as KafkaMessage,
        ],
      } as unknown as EachBatchPayload['batch'],
      resolveOffset: () => undefined,
      heartbeat: () => Promise.resolve(),
      isRunning: () => true,
      isStale: () => false,
    } as unknown as EachBatchPayload)
    .then(() => (isPaused = false));
  expect(await partition.take(10)).toMatchObject([{ kind: 'command', message }]);
  expect(isPaused).toBe(true);
  abort.abort(); // an owner that ends does not wait for the pause
  await received;
});

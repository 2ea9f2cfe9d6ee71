import { expect, test } from '@jest/globals';
import { eventually } from '@bourse/testing/eventually';
import type { Kafka, Producer, ProducerBatch } from 'kafkajs';
import { KafkaSender, SendFailed } from '../src/kafka/kafka-sender.js';

type Request = Record<string, string[]>;

/** A sender whose requests are answered by `answer`, in the order in which they begin. */
function senderTo(answer: (request: Request) => Promise<void>): { sender: KafkaSender; requests: Request[] } {
  const requests: Request[] = [];
  const producer = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    sendBatch: async ({ topicMessages = [] }: ProducerBatch) => {
      const request = Object.fromEntries(
        topicMessages.map(({ topic, messages }) => [topic, messages.map(({ value }) => String(value))]),
      );
      requests.push(request);
      await answer(request);
      return [];
    },
  };
  const kafka: Pick<Kafka, 'producer'> = { producer: () => producer as unknown as Producer };
  return { sender: new KafkaSender(kafka), requests };
}

const refusal = (type: string): Error => Object.assign(new Error(type), { type });
const outcomeOf = (sent: Promise<void>): Promise<string> =>
  sent.then(
    () => 'sent',
    (error: unknown) => (error instanceof SendFailed && error.certain ? 'surely not sent' : 'maybe sent'),
  );

test('messages of one moment for several partitions share a request, each in its order [LOG-066]', async () => {
  const { sender, requests } = senderTo(() => Promise.resolve());
  await Promise.all([
    sender.send('spot.events', 0, { value: 'trades 1' }),
    sender.send('user.events', 0, { value: 'fill 1' }),
    sender.send('spot.events', 0, { value: 'trades 2' }),
  ]);
  expect(requests).toEqual([{ 'spot.events': ['trades 1', 'trades 2'], 'user.events': ['fill 1'] }]);
});

test('a partition whose request is under way waits for it, and another partition does not [LOG-066]', async () => {
  const ends: (() => void)[] = [];
  const { sender, requests } = senderTo(() => new Promise((resolve) => ends.push(resolve)));
  const first = sender.send('spot.events', 0, { value: 'trades 1' });
  await eventually(() => requests.length === 1);
  const second = sender.send('spot.events', 0, { value: 'trades 2' });
  const other = sender.send('user.events', 0, { value: 'fill 1' });
  await eventually(() => requests.length === 2);
  expect(requests[1]).toEqual({ 'user.events': ['fill 1'] });
  ends[0]!();
  await first;
  await eventually(() => requests.length === 3);
  expect(requests[2]).toEqual({ 'spot.events': ['trades 2'] });
  ends[1]!();
  ends[2]!();
  await Promise.all([second, other]);
});

test('after a failed request of several partitions, one that fails again holds up no other [LOG-066]', async () => {
  const { sender, requests } = senderTo((request) =>
    'user.events' in request ? Promise.reject(refusal('UNKNOWN_TOPIC_OR_PARTITION')) : Promise.resolve(),
  );
  const send = (): Promise<string[]> =>
    Promise.all(['spot.events', 'user.events'].map((topic) => outcomeOf(sender.send(topic, 0, { value: 'row' }))));
  // The refusal says nothing of the other partition, so neither is surely unsent.
  expect(await send()).toEqual(['maybe sent', 'maybe sent']);
  expect(await send()).toEqual(['sent', 'surely not sent']);
  expect(requests.map((request) => Object.keys(request))).toEqual([
    ['spot.events', 'user.events'],
    ['spot.events'],
    ['user.events'],
  ]);
});

test('messages behind a failed request fail too, and surely were not sent [LOG-066]', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { sender, requests } = senderTo(
    () =>
      new Promise((_resolve, reject) => {
        fail = reject;
      }),
  );
  const first = outcomeOf(sender.send('spot.events', 0, { value: 'trades 1' }));
  await eventually(() => requests.length === 1);
  const second = outcomeOf(sender.send('spot.events', 0, { value: 'trades 2' }));
  fail(refusal('REQUEST_TIMED_OUT'));
  expect(await Promise.all([first, second])).toEqual(['maybe sent', 'surely not sent']);
  expect(requests).toHaveLength(1);
});

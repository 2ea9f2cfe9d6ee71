import { expect, test } from '@jest/globals';
import { eventually } from '@bourse/testing/eventually';
import type { Kafka, Producer, ProducerBatch } from 'kafkajs';
import { ProduceFailed } from '../src/kafka/kafka-client.js';
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
/** The brokers' answers, by partition: an error, and the offset at which it was appended nevertheless. */
const answered = (answers: Readonly<Record<string, { errorCode: number; baseOffset?: string }>>, open = 0): Error =>
  new ProduceFailed(
    refusal('UNKNOWN_TOPIC_OR_PARTITION'),
    new Map(
      Object.entries(answers).map(([name, answer]) => [
        name,
        { open, answer: { partition: 0, baseOffset: '-1', ...answer } },
      ]),
    ),
  );
const UNKNOWN_TOPIC = { errorCode: 3 };
const NOT_LEADER = { errorCode: 6 };
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
    'user.events' in request
      ? Promise.reject(answered({ 'user.events/0': UNKNOWN_TOPIC, 'spot.events/0': { errorCode: 0, baseOffset: '7' } }))
      : Promise.resolve(),
  );
  const send = (): Promise<string[]> =>
    Promise.all(['spot.events', 'user.events'].map((topic) => outcomeOf(sender.send(topic, 0, { value: 'row' }))));
  expect(await send()).toEqual(['sent', 'surely not sent']);
  expect(await send()).toEqual(['sent', 'surely not sent']);
  expect(requests.map((request) => Object.keys(request))).toEqual([
    ['spot.events', 'user.events'],
    ['spot.events'],
    ['user.events'],
  ]);
});

const WRITTEN = { errorCode: 0, baseOffset: '7' };
// The leader has appended, and was replaced before its replicas had.
const REPLACED = { ...NOT_LEADER, baseOffset: '9' };
test.each([
  ['written', WRITTEN, 'sent'],
  ['refused', NOT_LEADER, 'surely not sent'],
  ['appended and refused', REPLACED, 'maybe sent'],
  ['timed out', { errorCode: 7 }, 'maybe sent'],
] as const)('a partition whose records were %s counts by its own answer [LOG-071]', async (_, answer, outcome) => {
  const { sender } = senderTo(() =>
    Promise.reject(answered({ 'ledger.commands/0': answer, 'spot.events/0': WRITTEN })),
  );
  const topics = ['ledger.commands', 'spot.events'];
  const outcomes = topics.map((topic) => outcomeOf(sender.send(topic, 0, { value: 'it' })));
  expect(await Promise.all(outcomes)).toEqual([outcome, 'sent']);
});

test('a refusal after a request without an answer leaves its outcome open [LOG-071]', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const failures = [
    refused,
    new ProduceFailed(refused, new Map([['ledger.commands/0', { open: 1, answer: undefined }]])),
    answered({ 'ledger.commands/0': NOT_LEADER }, 1),
  ];
  const { sender } = senderTo(() => Promise.reject(failures.shift()!));
  for (let time = 0; time < 3; time += 1)
    expect(await outcomeOf(sender.send('ledger.commands', 0, { value: 'a' }))).toBe('maybe sent');
});

test('a request that found no leader was surely not sent [LOG-071]', async () => {
  const { sender } = senderTo(() => Promise.reject(new ProduceFailed(refusal('LEADER_NOT_AVAILABLE'), new Map())));
  expect(await outcomeOf(sender.send('ledger.commands', 0, { value: 'a' }))).toBe('surely not sent');
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

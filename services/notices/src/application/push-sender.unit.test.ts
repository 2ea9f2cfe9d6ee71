import { expect, test } from '@jest/globals';
import type { PushOutcome } from '../domain/push.js';
import type { DuePush, PushService, PushStore } from './push-ports.js';
import { PushSender } from './push-sender.js';

/** Messages in memory: what was settled and put off. */
function storeOf(due: DuePush[]) {
  const log: string[] = [];
  const store = {
    take: (count: number) => Promise.resolve(due.splice(0, count)),
    settle: ({ id }: DuePush, outcome: PushOutcome) => Promise.resolve(void log.push(`${id} ${outcome}`)),
    postpone: ({ id, tries }: DuePush, seconds: number) =>
      Promise.resolve(void log.push(`${id} +${seconds}s ${tries}`)),
  };
  return { store: store as unknown as PushStore, log };
}
const message = (id: number, host: string, tries = 1): DuePush => ({
  ...{ id, deviceId: id, endpoint: `https://${host}/x`, payload: '{}', tries },
  ...{ p256dh: '', auth: '' },
});

test('a busy push service gets four tries, a device that is gone one [PUSH-003]', async () => {
  const { store, log } = storeOf([1, 2, 3, 4].map((tries) => message(tries, 'busy.example.org', tries)));
  await new PushSender(store, { send: () => Promise.resolve('later') } as PushService).sendDue();
  expect(log.sort()).toEqual(['1 +5s 1', '2 +30s 2', '3 +120s 3', '4 refused']);
  const gone = storeOf([message(7, 'a.example.org')]);
  await new PushSender(gone.store, { send: () => Promise.resolve('gone') } as PushService).sendDue();
  expect(gone.log).toEqual(['7 gone']);
});

test('a push service that hangs takes eight places, and the messages of others leave [PUSH-003]', async () => {
  const hanging = Array.from({ length: 20 }, (_, id) => message(id, 'hangs.example.org'));
  const { store, log } = storeOf([...hanging, message(100, 'works.example.org')]);
  let release: (outcome: PushOutcome) => void = () => undefined;
  const released = new Promise<PushOutcome>((resolve) => {
    release = resolve;
  });
  const asked: string[] = [];
  const sender = new PushSender(store, {
    send: ({ endpoint }: DuePush) => {
      asked.push(endpoint);
      return endpoint.includes('hangs') ? released : Promise.resolve('sent');
    },
  } as PushService);
  const sending = sender.sendDue();
  await sender.sendDue();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked.filter((endpoint) => endpoint.includes('hangs')).length).toBe(8);
  expect(log).toContain('100 sent');
  // Those without a place wait, and it is no try of theirs.
  expect(log.filter((line) => line.endsWith('+2s 0')).length).toBe(12);
  release('sent');
  await sending;
  expect(log.filter((line) => line.endsWith('sent')).length).toBe(9);
});

import { expect, test } from '@jest/globals';
import type { PushOutcome } from '../domain/push.js';
import type { DuePush, FreePlaces, PushService, PushStore } from './push-ports.js';
import { PushSender } from './push-sender.js';

/** Messages in memory: what was settled and put off. */
function storeOf(due: DuePush[]) {
  const log: string[] = [];
  const store = {
    take: ({ all, ofHost, ofBusy }: FreePlaces) => {
      const taken: DuePush[] = [];
      for (const one of due) {
        const places = ofBusy.get(one.host) ?? ofHost;
        if (taken.length < all && taken.filter(({ host }) => host === one.host).length < places) taken.push(one);
      }
      due.splice(0, due.length, ...due.filter((one) => !taken.includes(one)));
      return Promise.resolve(taken);
    },
    settle: ({ id }: DuePush, outcome: PushOutcome) => Promise.resolve(void log.push(`${id} ${outcome}`)),
    postpone: ({ id, tries }: DuePush, seconds: number) =>
      Promise.resolve(void log.push(`${id} +${seconds}s ${tries}`)),
  };
  return { store: store as unknown as PushStore, log };
}
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const message = (id: number, host: string, tries = 1): DuePush => ({
  ...{ id, deviceId: id, endpoint: `https://${host}/x`, host, payload: '{}', tries },
  ...{ p256dh: '', auth: '' },
});

test('a busy push service gets four tries, a device that is gone one [PUSH-003]', async () => {
  const { store, log } = storeOf([1, 2, 3, 4].map((tries) => message(tries, 'busy.example.org', tries)));
  await new PushSender(store, { send: () => Promise.resolve('later') } as PushService).sendDue();
  await pause();
  expect(log.sort()).toEqual(['1 +5s 1', '2 +30s 2', '3 +120s 3', '4 refused']);
  const gone = storeOf([message(7, 'a.example.org')]);
  await new PushSender(gone.store, { send: () => Promise.resolve('gone') } as PushService).sendDue();
  await pause();
  expect(gone.log).toEqual(['7 gone']);
});

test('a push service that hangs uses eight slots, and messages of others are sent [PUSH-003]', async () => {
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
  await sender.sendDue();
  await sender.sendDue();
  await pause();
  expect(asked.filter((endpoint) => endpoint.includes('hangs')).length).toBe(8);
  expect(log).toContain('100 sent');
  // Those without a place wait, and nothing is noted of them.
  expect(log).toEqual(['100 sent']);
  release('sent');
  await pause();
  expect(log.length).toBe(21);
});

test('a push service that answers at once gets all that is due, eight at the same time [PUSH-013]', async () => {
  const { store, log } = storeOf(Array.from({ length: 300 }, (_, id) => message(id, 'quick.example.org')));
  let [sending, most] = [0, 0];
  const sender = new PushSender(store, {
    send: async () => {
      most = Math.max(most, ++sending);
      await pause();
      sending--;
      return 'sent';
    },
  } as unknown as PushService);
  await sender.sendDue();
  for (let turn = 0; turn < 300 && log.length < 300; turn++) await pause();
  expect([log.length, most]).toEqual([300, 8]);
});

test('a stopped sender takes no more messages [PUSH-013]', async () => {
  const { store, log } = storeOf(Array.from({ length: 20 }, (_, id) => message(id, 'quick.example.org')));
  const sender = new PushSender(store, {
    send: () => {
      sender.beforeApplicationShutdown();
      return Promise.resolve('sent');
    },
  } as PushService);
  await sender.sendDue();
  await pause();
  expect(log.length).toBe(8);
});

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import './kafka-client.js';

const ANSWER_MS = 5;

let sent: number[];
let queue: RequestQueue;
beforeEach(() => {
  jest.useFakeTimers();
  sent = [];
  queue = new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'broker',
    logger: { debug: () => undefined },
  });
});
afterEach(() => {
  queue.destroy();
  jest.useRealTimers();
});
const ask = (correlationId: number): void =>
  queue.push({ entry: { correlationId }, expectResponse: true, sendRequest: () => sent.push(correlationId) });

describe('a connection to Kafka [LOG-052]', () => {
  test('sets no timer while no request waits, whatever was answered', () => {
    ask(1);
    queue.checkPendingRequests(); // as after each answer
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });

  test('sends the waiting requests at the end of a throttle, and is idle then', () => {
    queue.maybeThrottle(ANSWER_MS);
    ask(1);
    expect([sent, jest.getTimerCount()]).toEqual([[], 1]);
    jest.advanceTimersByTime(4 * ANSWER_MS);
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });
});

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { ApiError, NetworkError } from '@bourse/api-client';
import { mayPass, Retries, retryingCache } from './again.js';

/** A page that the test hides and shows. */
class TestPage extends EventTarget {
  hidden = false;

  show(shown: boolean): void {
    this.hidden = !shown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}
const refusal = (status: number, key: string): ApiError =>
  new ApiError(status, { type: 'error', key, message: key, request_id: 'r' });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('no answer and 503 may pass; any other refusal is final [FAIL-006]', () => {
  expect(mayPass(new NetworkError('no answer'))).toBe(true);
  expect(mayPass(refusal(503, 'common.unavailable'))).toBe(true);
  expect(mayPass(refusal(503, 'market.paused'))).toBe(false);
  expect(mayPass(refusal(404, 'common.notFound'))).toBe(false);
  expect(mayPass(new TypeError('a defect of ours'))).toBe(false);
});

describe('a read that failed', () => {
  test('is made again, later each time, never later than ten seconds [FAIL-006]', () => {
    const page = new TestPage();
    const at: number[] = [];
    const start = Date.now();
    const retries = new Retries(
      () => {
        at.push((Date.now() - start) / 1_000);
        if (at.length < 6) retries.failed();
      },
      page as unknown as Document,
    );
    retries.failed();
    jest.advanceTimersByTime(120_000);
    expect(at).toEqual([2, 6, 14, 24, 34, 44]);
  });

  test('begins again with two seconds after one that was answered [FAIL-006]', () => {
    let reads = 0;
    const retries = new Retries(() => (reads += 1), new TestPage() as unknown as Document);
    retries.failed();
    retries.failed();
    retries.succeeded();
    jest.advanceTimersByTime(60_000);
    expect(reads).toBe(0);
    retries.failed();
    jest.advanceTimersByTime(2_000);
    expect(reads).toBe(1);
  });

  test('waits while the page is hidden, and is made once when it is visible [FAIL-006]', () => {
    const page = new TestPage();
    let reads = 0;
    const retries = new Retries(() => (reads += 1), page as unknown as Document);
    page.show(false);
    retries.failed();
    jest.advanceTimersByTime(600_000);
    expect(reads).toBe(0);
    page.show(true);
    page.show(false);
    page.show(true);
    expect(reads).toBe(1);
  });

  test('is not made after it was given up, seen or not [FAIL-006]', () => {
    const page = new TestPage();
    let reads = 0;
    const retries = new Retries(() => (reads += 1), page as unknown as Document);
    retries.failed();
    retries.stop();
    jest.advanceTimersByTime(60_000);
    page.show(false);
    retries.failed();
    jest.advanceTimersByTime(60_000);
    retries.stop();
    page.show(true);
    expect(reads).toBe(0);
  });
});

describe('a cache of reads', () => {
  /** A client as the page has it, whose reads fail with what `answers` holds until it is empty. */
  function clientOver(answers: unknown[]) {
    const calls: number[] = [];
    const client: QueryClient = new QueryClient({
      queryCache: retryingCache(
        ({ queryKey }) =>
          void client.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false }),
      ),
      defaultOptions: { queries: { retry: false, gcTime: Infinity } },
    });
    const observer = new QueryObserver(client, {
      queryKey: ['rows'],
      queryFn: () => {
        calls.push(Date.now());
        const error = answers.shift();
        return error === undefined ? Promise.resolve('rows') : Promise.reject(error as Error);
      },
    });
    return { client, calls, observer };
  }

  test('retries reads without an answer until one comes [FAIL-006]', async () => {
    const lost = new NetworkError('no answer');
    const { calls, observer } = clientOver([lost, refusal(503, 'common.unavailable'), lost]);
    const leave = observer.subscribe(() => undefined);
    await jest.advanceTimersByTimeAsync(60_000);
    leave();
    expect([calls.length, observer.getCurrentResult().data]).toEqual([4, 'rows']);
  });

  test('does not retry refused reads, nor those without a user [FAIL-006]', async () => {
    const refused = clientOver([refusal(200, 'kyc.state')]);
    const leave = refused.observer.subscribe(() => undefined);
    await jest.advanceTimersByTimeAsync(60_000);
    leave();
    expect(refused.calls).toHaveLength(1);
    const left = clientOver([new NetworkError('no answer')]);
    left.observer.subscribe(() => undefined)();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(left.calls).toHaveLength(1);
  });
});

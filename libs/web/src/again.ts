import { QueryCache, type Query } from '@tanstack/react-query';
import { ApiError, NetworkError } from '@bourse/api-client';

/** A read that failed is made again after the first of these, then after twice as long, up to the last; ms. */
const FIRST_MS = 2_000;
const LAST_MS = 10_000;

/** The part of a page that is used: whether it is visible, and the event when that changes. */
type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/**
 * Whether what failed so may succeed when it is made again unchanged: no answer came, or something behind the gateway
 * was down (503, api §1.4). All other refusals are final.
 */
export const mayPass = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.key === 'common.unavailable');

/**
 * Whether the exchange has judged the call itself, and would judge it so again (HTTP 200, api §1.4). Too many calls, a
 * defect and an outage say nothing about the thing that was asked for.
 */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 200;

/**
 * Retries a read after it has failed, with growing delays. On a hidden page it waits until the page is visible. A call
 * can fail while both the socket and the browser are online.
 */
export class Retries {
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly read: () => void,
    private readonly page: Page | undefined = globalThis.document,
  ) {}

  /** The read has failed in a way that may pass. */
  failed(): void {
    this.stop();
    const wait = Math.min(FIRST_MS * 2 ** this.failures, LAST_MS);
    this.failures += 1;
    this.timer = setTimeout(this.due, wait);
  }

  /** The read was made, by this or another caller: no retry is due, and the next failure counts as the first. */
  succeeded(): void {
    this.stop();
    this.failures = 0;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.page?.removeEventListener('visibilitychange', this.due);
  }

  private readonly due = (): void => {
    if (this.page?.hidden) {
      this.page.addEventListener('visibilitychange', this.due);
      return;
    }
    this.stop();
    this.read();
  };
}

type AnyQuery = Query<unknown, unknown, unknown>;

/** A query cache that retries failed reads by `read` while a component uses them. */
export function retryingCache(read: (query: AnyQuery) => void, page?: Page): QueryCache {
  const known = new WeakMap<AnyQuery, Retries>();
  return new QueryCache({
    onError: (error, query) => {
      if (!mayPass(error)) return;
      let retries = known.get(query);
      if (!retries) known.set(query, (retries = new Retries(() => read(query), page)));
      retries.failed();
    },
    onSuccess: (_data, query) => known.get(query)?.succeeded(),
  });
}

import type { RefusalBody, RefusalType } from '@bourse/contract';

/** A call the server refused: no effect. Programs test `key`, people read `message`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly type: RefusalType;
  readonly key: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly field: string | undefined;
  /** The whole body, for what single calls add (`need`, `is_set`). */
  readonly body: Readonly<Record<string, unknown>>;
  /** The Idempotency-Key under which the call was sent, if it had one. */
  intent: string | undefined;
  constructor(
    readonly status: number,
    refusal: RefusalBody,
    /** Seconds to wait before another try (header `Retry-After`, of 429 and 503); undefined: none were named. */
    readonly retryAfter?: number,
  ) {
    super(refusal.message);
    this.type = refusal.type;
    this.key = refusal.key;
    this.params = refusal.params ?? {};
    this.field = refusal.field;
    this.body = { ...refusal };
  }
}

/**
 * No answer arrived, or one that is not the exchange's. The outcome of a money call is then unknown; its intent key
 * makes a repeat safe.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** The Idempotency-Key under which the call was sent, if it had one. */
  intent: string | undefined;
}

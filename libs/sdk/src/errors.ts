import { ApiError as Refused, newIntent as intent, NetworkError as Silence } from '@bourse/api-client';

/* The client's errors, with types of their own: the types of this package name no unpublished package. */

/** A call the exchange refused: no effect. Programs test `key`, people read `message`. */
export interface ApiError extends Error {
  readonly name: 'ApiError';
  readonly status: number;
  readonly type: 'error' | 'not' | '996' | '997' | '555' | '998' | '999' | 'pending';
  readonly key: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** The field that is wrong, where one is. */
  readonly field: string | undefined;
  /** The whole body, for what single calls add. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The Idempotency-Key under which the call was sent, if it had one. */
  readonly intent: string | undefined;
  /** Seconds to wait before another try (header `Retry-After`, of 429 and 503); undefined: none were named. */
  readonly retryAfter?: number | undefined;
}
/** For `instanceof` only: programs do not create refusals. */
export const ApiError: abstract new (...made: never[]) => ApiError = Refused;

/**
 * No answer arrived, or one that is not the exchange's. The outcome of a money call is then unknown; its intent key
 * makes a repeat safe.
 */
export interface NetworkError extends Error {
  readonly name: 'NetworkError';
  /** The Idempotency-Key under which the call was sent: the same call with it returns its outcome. */
  readonly intent: string | undefined;
}
export const NetworkError: new (message?: string, options?: { cause?: unknown }) => NetworkError = Silence;

/** A subscription that the exchange refused; it delivers no messages. Programs test `key`, as of an `ApiError`. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';
  constructor(
    readonly channel: string,
    readonly symbol: string,
    /** Period of candles; empty for other channels. */
    readonly interval: string,
    readonly key: string,
  ) {
    super(`the subscription to ${channel} of ${symbol} was refused: ${key}`);
  }
}

/** A new Idempotency-Key: one per thing a program means to do, kept over repeats (api §1.7). */
export const newIntent: () => string = intent;

/**
 * Refusals by token and gates. The exchange keeps none under an Idempotency-Key (docs/contract/api.md, api §6.8)
 * and decides them before it reads what it keeps: they do not say what became of an attempt whose answer was lost.
 */
export const GATE_KEYS: readonly string[] = [
  'apikey.signature',
  'auth.expired',
  'auth.frozen',
  'common.forbidden',
  'common.noPermission',
  'fund.mustReset',
  'fund.notSet',
  'kyc.required',
  'noopen',
  'pay.missing',
];

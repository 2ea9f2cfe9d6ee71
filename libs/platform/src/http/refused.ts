import type { Params, RefusalType } from '@bourse/contract';

/**
 * A refusal on its way to the caller: the call had no effect. Controllers throw it, the one filter turns it into the
 * envelope. `key` is a message key of libs/i18n (area `server`) and what programs test.
 */
export class Refused extends Error {
  constructor(
    readonly key: string,
    readonly params: Params = {},
    readonly options: {
      readonly type?: RefusalType;
      readonly field?: string;
      readonly status?: number;
      readonly retryAfterSeconds?: number;
      readonly extra?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(key);
  }
}

/**
 * An accepted call whose `message` is a translated notice, with fields beside it: `{type:'ok', message: <text>, key,
 * ...extra}`.
 */
export class Notice {
  constructor(
    readonly key: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly params: Params = {},
  ) {}
}
/**
 * An accepted call with a plain message and further fields. Handlers without further fields return the message itself.
 */
export class Reply {
  constructor(
    readonly message: unknown,
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {}
}
/** An answer that leaves outside the envelope: `new_timeshar`, /walletMiddle, CSV, images. */
export class Raw {
  constructor(
    readonly body: unknown,
    readonly options: {
      readonly status?: number;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {}
}

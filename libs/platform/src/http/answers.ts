import { CODED_CALLS, type RefusalType } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { isConnectionRefused, isUndone, Unavailable } from './unavailable.js';
import { Notice, Refused, Reply } from './refused.js';

/** The parts of a call's context that an answer needs. */
export interface AnswerContext {
  readonly requestId: string;
  readonly lang: string;
  readonly commandId?: string | null;
}
export interface Envelope {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Type of the keys that clients act on (api §1.4); every other refusal is an `error`. */
const TYPES: Readonly<Record<string, RefusalType>> = {
  'auth.expired': '999',
  'fund.notSet': 'not',
  'fund.required': '996',
  'fund.mustReset': '996',
  'kyc.required': '998',
  'pay.missing': '997',
  'common.processing': 'pending',
};
/** Status of the keys that have one of their own; every other answer is 200. */
const STATUSES: Readonly<Record<string, number>> = {
  'common.processing': 202,
  'common.badRequest': 400,
  'apikey.signature': 401,
  'common.forbidden': 403,
  'common.noRoute': 404,
  'common.noMethod': 405,
  'common.tooLarge': 413,
  'upload.size': 413,
  'common.mediaType': 415,
  'common.tooMany': 429,
  'common.defect': 500,
  'common.unavailable': 503,
  'market.paused': 503,
};
const RETRY_SECONDS = 1;

/** The body of an accepted call: the handler's result, in the envelope (api §1.3). */
export function accepted(result: unknown, context: AnswerContext): Record<string, unknown> {
  const tail = { ...(context.commandId ? { command_id: context.commandId } : {}), request_id: context.requestId };
  if (result instanceof Notice)
    return {
      type: 'ok',
      message: translate(context.lang, result.key, result.params),
      key: result.key,
      ...result.extra,
      ...tail,
    };
  if (result instanceof Reply) return { type: 'ok', message: result.message ?? null, ...result.extra, ...tail };
  return { type: 'ok', message: result ?? null, ...tail };
}

/** HTTP status of a refusal. */
export const refusalStatus = ({ key, options }: Refused): number => options.status ?? STATUSES[key] ?? 200;
/** Type of a refusal, on which clients act. */
export const refusalType = ({ key, options }: Refused): RefusalType => options.type ?? TYPES[key] ?? 'error';

/** A refusal in the envelope, with its status. */
export function refused(refusal: Refused, context: AnswerContext): Envelope {
  const { key, params, options } = refusal;
  const status = refusalStatus(refusal);
  const retryAfter =
    options.retryAfterSeconds ??
    (status === 429 && typeof params['seconds'] === 'number'
      ? params['seconds']
      : status === 503
        ? RETRY_SECONDS
        : undefined);
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    body: {
      type: refusalType(refusal),
      message: translate(context.lang, key, params),
      key,
      ...(Object.keys(params).length > 0 ? { params } : {}),
      ...(options.field === undefined ? {} : { field: options.field }),
      ...options.extra,
      ...(context.commandId ? { command_id: context.commandId } : {}),
      request_id: context.requestId,
    },
  };
}

/** Calls whose answers have the shape `{code, msg, data}` instead of the envelope, refusals too (api §3). */
export const isCoded = (path: string): boolean => CODED_CALLS.test(path);

/** A refusal in that shape: 999 asks to sign in, 6 to wait, everything else is a bad request. */
export function codedRefusal(
  { key, params }: Refused,
  lang: string,
): { readonly code: number; readonly msg: string; readonly data: unknown } {
  const code = key === 'auth.expired' ? 999 : key === 'common.tooMany' ? 6 : 1;
  return {
    code,
    msg: translate(lang, key, params),
    data: code === 6 ? { seconds: params['seconds'] ?? RETRY_SECONDS } : null,
  };
}

/** Which refusal an error is, or null when it is a defect. Errors of Nest and Fastify are known by their status. */
export function refusalOf(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  if (error instanceof Unavailable)
    return new Refused('common.unavailable', {}, { retryAfterSeconds: error.retryAfterSeconds });
  if (isConnectionRefused(error) || isUndone(error)) return new Refused('common.unavailable');
  const key = KEY_OF_STATUS[statusOf(error)];
  return key === undefined ? null : new Refused(key);
}

const KEY_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'common.badRequest',
  403: 'common.forbidden',
  404: 'common.noRoute',
  405: 'common.noMethod',
  408: 'common.badRequest',
  413: 'common.tooLarge',
  414: 'common.tooLarge',
  415: 'common.mediaType',
  431: 'common.tooLarge',
  503: 'common.unavailable',
};

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500;
  const { getStatus, statusCode } = error as { getStatus?: () => number; statusCode?: unknown };
  if (typeof getStatus === 'function') return getStatus.call(error);
  return typeof statusCode === 'number' ? statusCode : 500;
}

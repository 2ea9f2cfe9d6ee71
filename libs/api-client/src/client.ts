import type { CallAt, CallMethod, PathOf, RefusalBody } from '@bourse/contract';
import { ApiError, NetworkError } from './errors.js';

export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  /** Idempotency-Key of a money call. With it an unanswered call is repeated, because a repeat cannot act twice. */
  intent?: string;
  /** The caller shows refusals itself: nothing is announced, but an ended session still is. */
  quiet?: boolean;
  signal?: AbortSignal;
  /** The call outlives the page that is being left; its body may have up to 64 KiB. */
  keepalive?: boolean;
}

export interface ClientOptions {
  token(): string | null;
  lang(): string;
  /** The random id that this browser made, by which the exchange recognizes it; null: it has none. */
  device?(): Promise<string | null>;
  /**
   * Asks the person for the password because a call needs a confirmed session (api §6.16). True: it was given, and the
   * call is sent again; false: the person declined, and the call fails without a message.
   */
  confirm?(): Promise<boolean>;
  /**
   * Whether a call with an intent and an unknown outcome is sent again under its key. For callers that may not query
   * the outcome of a command, which only people can.
   */
  readonly repeatsPending?: boolean;
  /**
   * The caller itself repeats a call with an unknown outcome: a lost answer is thrown at once, and a pending answer as
   * a refusal.
   */
  readonly once?: boolean;
  /** Called with every refusal, those of `quiet` calls included, with the flag. */
  onRefusal?(refusal: ApiError, quiet: boolean): void;
  /** Whether the last call reached the exchange, and how long it took. */
  onReach?(reached: boolean, tookMs: number): void;
  fetch?: typeof fetch;
  now?(): number;
  sleep?(ms: number): Promise<void>;
}

/** A field as it may be given: numbers also as text, flags also as booleans, lists as JSON text. */
type Given<T> = [T] extends [readonly unknown[]]
  ? string
  : number extends T
    ? T | string
    : [0 | 1] extends [T]
      ? T | Numeral<T> | boolean
      : T | Numeral<T>;
type Numeral<T> = T extends number ? `${T}` : never;
/** The fields of a call: a field without a value is not sent. */
type GivenFields<F> = [keyof F] extends [never]
  ? Readonly<Record<string, never>>
  : {
      readonly [N in keyof F]: Given<Exclude<F[N], undefined>> | (undefined extends F[N] ? null | undefined : never);
    };
export type FieldsAt<M extends CallMethod, P extends string> = GivenFields<CallAt<M, P>['fields']>;
export type AnswerAt<M extends CallMethod, P extends string> = CallAt<M, P>['answer'];
/** The answer of a call of the wallet middleware. */
type DataAt<M extends CallMethod, P extends string> =
  AnswerAt<M, P> extends { data: infer Data } ? NonNullable<Data> : never;
/** The answer of a read. */
export type MessageAt<P extends PathOf<'GET'>> =
  AnswerAt<'GET', P> extends { message: infer Message } ? Message : never;

const PENDING_EVERY_MS = 500;
const PENDING_TRIES = 60;
const REPEATS = 2;

/**
 * The one way to the exchange: raw token header, form bodies, `timestamp`, intent keys, waiting for pending outcomes,
 * refusals by code.
 */
export class ApiClient {
  constructor(private readonly options: ClientOptions) {}

  get<P extends PathOf<'GET'>>(
    path: P,
    fields: FieldsAt<'GET', P>,
    options?: CallOptions,
  ): Promise<AnswerAt<'GET', P>> {
    return this.call('GET', path, fields, options);
  }

  post<P extends PathOf<'POST'>>(
    path: P,
    fields: FieldsAt<'POST', P>,
    options?: CallOptions,
  ): Promise<AnswerAt<'POST', P>> {
    return this.call('POST', path, fields, options);
  }

  put<P extends PathOf<'PUT'>>(
    path: P,
    fields: FieldsAt<'PUT', P>,
    options?: CallOptions,
  ): Promise<AnswerAt<'PUT', P>> {
    return this.call('PUT', path, fields, options);
  }

  delete<P extends PathOf<'DELETE'>>(
    path: P,
    fields: FieldsAt<'DELETE', P>,
    options?: CallOptions,
  ): Promise<AnswerAt<'DELETE', P>> {
    return this.call('DELETE', path, fields, options);
  }

  /**
   * A call of the wallet middleware (api §3), whose answers are `{ code, msg, data }`: 0 is success, 999 the end of the
   * session.
   * @returns `data`
   * @throws ApiError for any other code, with key `middleware.<code>` and what `data` names as its params; NetworkError
   * when no answer comes
   */
  async coded<M extends 'GET' | 'POST', P extends PathOf<M>>(
    method: M,
    path: P,
    fields: FieldsAt<M, P>,
    options: CallOptions = {},
  ): Promise<DataAt<M, P>> {
    const { status, body } = await this.exchange(
      method,
      path,
      fields,
      options,
      (answer): answer is Body => isObject(answer) && ('code' in answer || 'type' in answer),
    );
    if (body['code'] === 0) return body['data'] as DataAt<M, P>;
    const refusal =
      'type' in body
        ? (body as unknown as RefusalBody)
        : {
            type: body['code'] === 999 ? ('999' as const) : ('error' as const),
            key: `middleware.${String(body['code'])}`,
            message: String(body['msg']),
            params: (isObject(body['data']) ? body['data'] : {}) as Record<string, string | number>,
            request_id: '',
          };
    const error = new ApiError(status, refusal);
    this.options.onRefusal?.(error, options.quiet === true);
    throw error;
  }

  /**
   * Downloads a file; it needs the token in a header, so a plain link cannot. The caller shows refusals.
   * @throws ApiError when the exchange refuses, NetworkError when anything else but the file arrives
   */
  async file<P extends PathOf<'GET'>>(path: P, fields: FieldsAt<'GET', P>, contentType: string): Promise<Blob> {
    const query = encode(fields);
    query.set('timestamp', String((this.options.now ?? Date.now)()));
    const response = await (this.options.fetch ?? fetch)(`${path}?${query.toString()}`, {
      headers: this.headers(),
      credentials: 'omit',
    }).catch((cause: unknown) => {
      throw new NetworkError(`GET ${path}: no answer`, { cause });
    });
    if (response.ok && response.headers.get('content-type')?.startsWith(contentType)) return response.blob();
    throw await this.refusalIn(response, `GET ${path}: HTTP ${response.status} without a file`);
  }

  /**
   * Uploads a file and returns its address. The caller shows refusals.
   * @throws ApiError when the exchange refuses, NetworkError when no answer comes
   */
  async upload(path: PathOf<'POST'>, fields: Fields, file: Blob): Promise<string> {
    const query = encode(fields);
    query.set('timestamp', String((this.options.now ?? Date.now)()));
    const body = new FormData();
    body.set('file', file);
    const response = await (this.options.fetch ?? fetch)(`${path}?${query.toString()}`, {
      method: 'POST',
      headers: this.headers(),
      credentials: 'omit',
      body,
    }).catch((cause: unknown) => {
      throw new NetworkError(`POST ${path}: no answer`, { cause });
    });
    const answer = response.ok ? await jsonOf(response.clone()) : undefined;
    if (isBody(answer) && isAccepted(answer)) return String(answer['message']);
    throw await this.refusalIn(response, `POST ${path}: HTTP ${response.status} without an envelope`);
  }

  /** The refusal of a failed call, or `otherwise` without one. Reports the end of a session. */
  private async refusalIn(response: Response, otherwise: string): Promise<ApiError | NetworkError> {
    const body = await jsonOf(response);
    if (!isBody(body) || isAccepted(body)) return new NetworkError(otherwise);
    const refusal = new ApiError(response.status, body as unknown as RefusalBody);
    this.options.onRefusal?.(refusal, true);
    return refusal;
  }

  /**
   * A call that its caller has typed.
   * @throws ApiError when the exchange refuses (also when the outcome stays `pending` for 30 s)
   * @throws NetworkError when no answer comes
   */
  async call<Answer>(
    method: CallMethod,
    path: string,
    fields: object,
    options: CallOptions = {},
    mayConfirm = true,
  ): Promise<Answer> {
    try {
      let answer = await this.sendWithRepeats(method, path, fields, options);
      if (isPending(answer.body) && this.options.once !== true) {
        const repeat = (): Promise<RawAnswer> => this.send(method, path, fields, options);
        answer = await this.waitForOutcome(answer.body, options, repeat);
      }
      if (isAccepted(answer.body)) return answer.body as Answer;
      throw new ApiError(answer.status, answer.body as unknown as RefusalBody, answer.retryAfter);
    } catch (error) {
      if (error instanceof ApiError || error instanceof NetworkError) error.intent = options.intent;
      if (!(error instanceof ApiError)) throw error;
      const asks = mayConfirm && error.key === 'auth.confirm' && this.options.confirm !== undefined;
      if (asks && (await this.options.confirm?.())) return this.call(method, path, fields, options, false);
      // A person who declined knows the outcome of the call.
      this.options.onRefusal?.(error, options.quiet === true || asks);
      throw error;
    }
  }

  private async sendWithRepeats(
    method: CallMethod,
    path: string,
    fields: object,
    options: CallOptions,
  ): Promise<RawAnswer> {
    const repeats = options.intent === undefined || this.options.once === true ? 0 : REPEATS;
    for (let turn = 0; ; turn += 1) {
      try {
        return await this.send(method, path, fields, options);
      } catch (error) {
        if (!(error instanceof NetworkError) || turn >= repeats || options.signal?.aborted) throw error;
        await this.sleep(PENDING_EVERY_MS * (turn + 1));
      }
    }
  }

  /**
   * The outcome was not known in time: queries it until it is final, instead of sending the command again; or sends it
   * `again` under its key, if the caller may not query outcomes.
   */
  private async waitForOutcome(
    pending: Body,
    options: CallOptions,
    again: () => Promise<RawAnswer>,
  ): Promise<RawAnswer> {
    const id = typeof pending['command_id'] === 'string' ? pending['command_id'] : '';
    const repeats = this.options.repeatsPending === true;
    // Without an id the exchange has stored no key: another try would be another command.
    const key = repeats ? options.intent && id : (options.intent ?? id);
    let last: RawAnswer = { status: 202, body: pending };
    for (let turn = 0; turn < PENDING_TRIES && key; turn += 1) {
      await this.sleep(PENDING_EVERY_MS);
      try {
        last = repeats ? await again() : await this.send('GET', '/api/command', { key }, {});
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        continue;
      }
      // "Not found" is not final yet: the command may still be on its way to its service.
      if (!isPending(last.body) && last.body['key'] !== 'common.notFound') return last;
    }
    return isPending(last.body) ? last : { status: 202, body: pending };
  }

  private send(method: CallMethod, path: string, fields: object, options: CallOptions): Promise<RawAnswer> {
    return this.exchange(method, path, fields, options, isBody);
  }

  private headers(): Record<string, string> {
    const token = this.options.token();
    return { lang: this.options.lang(), ...(token ? { Authorization: token } : {}) };
  }

  /** One request and its JSON. @throws NetworkError when no answer comes, or one that `fits` does not know */
  private async exchange(
    method: CallMethod,
    path: string,
    fields: object,
    { intent, signal, keepalive }: CallOptions,
    fits: (body: unknown) => body is Body,
  ): Promise<RawAnswer> {
    const now = this.options.now ?? Date.now;
    const inQuery = method === 'GET';
    const form = encode(fields);
    const query = new URLSearchParams(inQuery ? form : undefined);
    query.set('timestamp', String(now()));
    const headers = this.headers();
    // Reads send no device id; sign-ins, codes and changes do. A page that is left has no time to wait for it.
    const device = inQuery || keepalive === true ? null : await this.options.device?.();
    if (device) headers['X-Device-Id'] = device;
    if (intent) headers['Idempotency-Key'] = intent;
    if (!inQuery) headers['Content-Type'] = 'application/x-www-form-urlencoded';
    const started = now();
    let status: number;
    let body: unknown;
    let retryAfter: number | undefined;
    try {
      const response = await (this.options.fetch ?? fetch)(`${path}?${query.toString()}`, {
        method,
        headers,
        credentials: 'omit',
        ...(inQuery ? {} : { body: form.toString() }),
        ...(signal ? { signal } : {}),
        ...(keepalive === true ? { keepalive } : {}),
      });
      status = response.status;
      retryAfter = Number(response.headers.get('retry-after')) || undefined;
      body = await response.json();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      this.options.onReach?.(false, now() - started);
      throw new NetworkError(`${method} ${path}: no answer`, { cause });
    }
    if (!fits(body)) {
      this.options.onReach?.(false, now() - started);
      throw new NetworkError(`${method} ${path}: HTTP ${status} without an envelope`);
    }
    this.options.onReach?.(true, now() - started);
    return { status, body, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  private sleep(ms: number): Promise<void> {
    return this.options.sleep ? this.options.sleep(ms) : new Promise((resolve) => setTimeout(resolve, ms));
  }
}

type Body = Record<string, unknown>;
interface RawAnswer {
  status: number;
  body: Body;
  /** Seconds. */ retryAfter?: number;
}

/** Fields without a value are not sent; flags go as 1 and 0. */
function encode(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    form.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
  }
  return form;
}

/** The JSON of an answer; undefined for other content and for a truncated answer. */
const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null;
const isBody = (body: unknown): body is Body => isObject(body) && 'type' in body;
const isAccepted = (body: Body): boolean => body['type'] === 'ok';
const isPending = (body: Body): boolean => body['type'] === 'pending';

import { createHash, createHmac } from 'node:crypto';
import {
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleAll,
  isBrokenCircuitError,
  noJitterGenerator,
  retry,
  wrap,
  type CircuitBreakerPolicy,
  type IPolicy,
} from 'cockatiel';
import { DECIMAL_PATTERN, toUnits } from '@bourse/money';
import { z } from 'zod';
import {
  PointsProgram,
  ProgramUnavailable,
  type BindingClaim,
  type BindingVerdict,
} from '../application/points-ports.js';
import { POINTS_SCALE } from '../domain/points-account.js';

/** Time limits for the third party. All tries together end before the call expires (4 s). */
export interface RetryPolicy {
  readonly tryMs: number;
  readonly tries: number;
  /** Before the second try; twice as long before each further one. */
  readonly pauseMs: number;
  /** Calls in a row that must fail before no call is made for `openMs`; then one call may try. */
  readonly circuit: { readonly failures: number; readonly openMs: number };
}
const RETRY_POLICY: RetryPolicy = {
  ...{ tryMs: 1_100, tries: 3, pauseMs: 100 },
  circuit: { failures: 5, openMs: 10_000 },
};
/** Its answers are small; a larger one is refused. */
const BYTES_MAX = 10_000;

const amount = z.string().regex(DECIMAL_PATTERN).max(40);
const boundAnswer = z.object({ account: z.string().min(1).max(100), points: amount, free_points: amount });

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * The third party over HTTP (docs/interfaces.md). Both calls may be repeated, so they are, with pauses between; after
 * several failures in a row no call is made for a while. The address is the operator's; redirects are not followed,
 * answers are bounded in time and size, and neither passwords nor the secret are ever in a message.
 */
export class HttpPointsProgram extends PointsProgram {
  readonly isOpen = true;
  private readonly base: string;
  private readonly circuit: CircuitBreakerPolicy;
  private readonly patiently: IPolicy;

  constructor(
    url: string,
    private readonly secret: string,
    /** Real time, ms. */
    private readonly now: () => number,
    private readonly retryPolicy: RetryPolicy = RETRY_POLICY,
  ) {
    super();
    this.base = url.replace(/\/+$/, '');
    const { tries, pauseMs, circuit } = retryPolicy;
    this.circuit = circuitBreaker(handleAll, {
      halfOpenAfter: circuit.openMs,
      breaker: new ConsecutiveBreaker(circuit.failures),
    });
    const backoff = new ExponentialBackoff({ initialDelay: pauseMs, generator: noJitterGenerator });
    this.patiently = wrap(this.circuit, retry(handleAll, { maxAttempts: tries - 1, backoff }));
  }

  async bind({ reference, userName, password }: BindingClaim): Promise<BindingVerdict> {
    const body = JSON.stringify({ account: userName, password });
    return this.ask('PUT', reference, body, ({ status, text }) => {
      if (status === 401) return { kind: 'wrong' };
      if (status === 409) return { kind: 'taken' };
      if (status !== 200) throw new ProgramUnavailable(`it answered ${status}`);
      return verdictOf(text);
    });
  }

  async release(reference: string): Promise<void> {
    await this.ask('DELETE', reference, '', ({ status }) => {
      if (status !== 204 && status !== 200) throw new ProgramUnavailable(`it answered ${status}`);
    });
  }

  private async ask<T>(method: string, reference: string, body: string, read: (answer: Answer) => T): Promise<T> {
    // While one call tests whether it is available again, the others do not wait for it.
    if (this.circuit.state === CircuitState.HalfOpen) throw leftAlone();
    try {
      return await this.patiently.execute(async () => read(await this.send(method, reference, body)));
    } catch (error) {
      throw isBrokenCircuitError(error) ? leftAlone() : unavailable(error);
    }
  }

  private async send(method: string, reference: string, body: string): Promise<Answer> {
    const url = new URL(`${this.base}/bindings/${encodeURIComponent(reference)}`);
    const timestamp = String(Math.round(this.now()));
    const digest = createHash('sha256').update(body).digest('hex');
    const signed = [method, url.pathname, timestamp, digest].join('\n');
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(this.retryPolicy.tryMs),
      headers: {
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
        'x-timestamp': timestamp,
        'x-signature': createHmac('sha256', this.secret).update(signed).digest('hex'),
      },
      ...(body === '' ? {} : { body }),
    });
    return { status: response.status, text: await boundedText(response) };
  }
}

/** @throws ProgramUnavailable for what is no answer of the protocol */
function verdictOf(text: string): BindingVerdict {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ProgramUnavailable('its answer is no JSON');
  }
  const parsed = boundAnswer.safeParse(json);
  if (!parsed.success) throw new ProgramUnavailable('its answer is not what the protocol says');
  const { account } = parsed.data;
  const [points, free] = [parsed.data.points, parsed.data.free_points].map(unitsOf);
  if (free! > points!) throw new ProgramUnavailable('more of its points are free than there are');
  return { kind: 'bound', account, points: points!, free: free! };
}

function unitsOf(text: string): bigint {
  try {
    return toUnits(text, POINTS_SCALE);
  } catch {
    throw new ProgramUnavailable(`its points have more than ${POINTS_SCALE} decimals`);
  }
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).byteLength;
    if (bytes > BYTES_MAX) throw new ProgramUnavailable(`an answer of more than ${BYTES_MAX} bytes`);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

const leftAlone = (): ProgramUnavailable =>
  new ProgramUnavailable('it has failed repeatedly and is not called for a while');

function unavailable(error: unknown): ProgramUnavailable {
  if (error instanceof ProgramUnavailable) return error;
  const name = error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'it cannot be reached';
  return new ProgramUnavailable(name, { cause: error });
}

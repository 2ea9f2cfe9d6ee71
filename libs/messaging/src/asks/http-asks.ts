import { Body, Controller, Inject, Param, Req } from '@nestjs/common';
import {
  Call,
  callService,
  inSpan,
  Raw,
  Refused,
  tracing,
  type Clock,
  type Config,
  type InternalCalls,
  type SecurityLog,
} from '@bourse/platform';
import type { FastifyRequest } from 'fastify';
import type { Ask } from './define.js';
import { InProcessAsks } from './in-process.js';
import { Asks, AskUnavailable } from '../ports.js';

const ASK_MS = 2_000;

/** The body of an HTTP answer: the answer itself, or a refusal that the asker throws again. */
type Answered = { readonly answer: unknown } | { readonly refused: Pick<Refused, 'key' | 'params' | 'options'> };

/** A question with the service that asks it. */
interface Asked<Q> {
  readonly question: Q;
  readonly from: string;
}

/** A question as the answering side has it: with its asker, and by its name alone. */
const received = <Q, A>(name: string): Ask<Asked<Q>, A> => ({ name, question: {}, answer: {}, askedBy: [] });

/**
 * Questions between processes: `POST /internal/ask/<service>.<what>`, signed. Questions that this process answers
 * itself never leave it.
 */
export class HttpAsks extends InProcessAsks {
  constructor(
    private readonly config: Pick<Config, 'service' | 'services'>,
    private readonly clock: Pick<Clock, 'real'>,
    private readonly calls: Pick<InternalCalls, 'sign'>,
    private readonly security: Pick<SecurityLog, 'record'>,
  ) {
    super();
  }

  override handle<Q, A>({ name, askedBy }: Ask<Q, A>, answer: (question: NoInfer<Q>) => A | Promise<A>): void {
    const may = new Set<string>([this.config.service, ...askedBy]);
    super.handle<Asked<Q>, A>(received(name), async ({ question, from }) => {
      if (!may.has(from)) {
        this.security.record('internal.refused', { from, call: name });
        throw new Refused('common.forbidden');
      }
      return answer(question);
    });
  }

  override async ask<Q, A>({ name }: Ask<Q, A>, question: NoInfer<Q>, timeoutMs = ASK_MS): Promise<A> {
    const service = name.slice(0, name.indexOf('.'));
    if (service === this.config.service) return this.askHere(name, { question, from: service }, timeoutMs);
    const base = this.config.services[service];
    if (base === undefined) throw new AskUnavailable(`no address of ${service} is known`);
    const post = (): Promise<Answered> =>
      this.post(new URL(`/internal/ask/${name}`, base), service, name, question, timeoutMs);
    const answered = await (tracing.on ? inSpan(`ask ${name}`, { kind: 'client' }, post) : post());
    if ('refused' in answered)
      throw new Refused(answered.refused.key, answered.refused.params, answered.refused.options);
    return answered.answer as A;
  }

  /** Asks a handler of this process, in the name of a service. */
  askHere<A>(name: string, asked: Asked<unknown>, timeoutMs?: number): Promise<A> {
    return super.ask<Asked<unknown>, A>(received(name), asked, timeoutMs);
  }

  private async post(url: URL, to: string, name: string, question: unknown, timeoutMs: number): Promise<Answered> {
    const body = JSON.stringify({ question: question ?? null, timeoutMs });
    try {
      const answer = await callService(url, {
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        body,
        headers: {
          'content-type': 'application/json',
          ...this.calls.sign(to, { method: 'POST', url: url.pathname, body }, this.clock.real()),
        },
      });
      const text = answer.body.toString('utf8');
      if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text.slice(0, 200)}`);
      return JSON.parse(text) as Answered;
    } catch (error) {
      throw new AskUnavailable(`${name} did not answer: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** The answering side, in every process of the distributed run. */
@Controller()
export class AsksController {
  constructor(@Inject(Asks) private readonly asks: HttpAsks) {}

  @Call({ method: 'POST', path: '/internal/ask/:name', auth: 'internal', raw: true })
  async answer(
    @Param('name') name: string,
    @Body() { question, timeoutMs }: { question: unknown; timeoutMs?: number },
    @Req() { signed }: FastifyRequest,
  ): Promise<Raw> {
    try {
      return new Raw({
        answer: await this.asks.askHere<unknown>(name, { question, from: signed?.from ?? '' }, timeoutMs),
      } satisfies Answered);
    } catch (error) {
      if (error instanceof Refused)
        return new Raw({
          refused: { key: error.key, params: error.params, options: error.options },
        } satisfies Answered);
      throw error;
    }
  }
}

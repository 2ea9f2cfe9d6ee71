import { Body, Controller, Inject, Param } from '@nestjs/common';
import { Call, CONTEXT_HEADER, Raw, Refused, signInternal, type Clock, type Config } from '@bourse/platform';
import { InProcessAsks } from './in-process.js';
import { Asks, AskUnavailable } from './ports.js';

const ASK_MS = 2_000;

/** What goes back over HTTP: an answer, or a refusal that the asker throws again. */
type Answered = { readonly answer: unknown } | { readonly refused: Pick<Refused, 'key' | 'params' | 'options'> };

/** Questions between processes: `POST /internal/ask/<service>.<what>`, signed. What this process answers itself never leaves it. */
export class HttpAsks extends InProcessAsks {
  constructor(
    private readonly config: Pick<Config, 'service' | 'services' | 'internalSecret'>,
    private readonly clock: Pick<Clock, 'real'>,
  ) {
    super();
  }

  override async ask<Q, A>(name: string, question: Q, timeoutMs = ASK_MS): Promise<A> {
    const service = name.slice(0, name.indexOf('.'));
    if (service === this.config.service) return this.askHere(name, question, timeoutMs);
    const base = this.config.services[service];
    if (base === undefined) throw new AskUnavailable(`no address of ${service} is known`);
    const path = `/internal/ask/${name}`;
    const answered = await this.post(new URL(path, base), path, name, question, timeoutMs);
    if ('refused' in answered)
      throw new Refused(answered.refused.key, answered.refused.params, answered.refused.options);
    return answered.answer as A;
  }

  /** Asks a handler of this process. */
  askHere<A>(name: string, question: unknown, timeoutMs?: number): Promise<A> {
    return super.ask<unknown, A>(name, question, timeoutMs);
  }

  private async post(url: URL, path: string, name: string, question: unknown, timeoutMs: number): Promise<Answered> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        body: JSON.stringify({ question: question ?? null, timeoutMs }),
        headers: {
          'content-type': 'application/json',
          [CONTEXT_HEADER]: signInternal(this.config.internalSecret, this.clock.real(), 'POST', path),
        },
      });
      if (response.status !== 200)
        throw new Error(`status ${response.status}: ${(await response.text()).slice(0, 200)}`);
      return (await response.json()) as Answered;
    } catch (error) {
      const { message, cause } = error as Error;
      throw new AskUnavailable(
        `${name} did not answer: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`,
        { cause: error },
      );
    }
  }
}

/** The answering side, in every process of the distributed run. */
@Controller()
export class AsksController {
  constructor(@Inject(Asks) private readonly asks: HttpAsks) {}

  @Call({ method: 'POST', path: '/internal/ask/:name', auth: 'internal', raw: true })
  async answer(@Param('name') name: string, @Body() body: { question: unknown; timeoutMs?: number }): Promise<Raw> {
    try {
      return new Raw({
        answer: await this.asks.askHere<unknown>(name, body.question, body.timeoutMs),
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

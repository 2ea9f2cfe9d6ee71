import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { CALL_DEADLINE_MS } from '@bourse/contract';
import {
  bodyOf,
  Clock,
  inSpan,
  InternalCalls,
  openService,
  piecesOf,
  Refused,
  tracing,
  type CallContext,
  type ServiceAnswer,
} from '@bourse/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CommandKeys, outcomeOf, outcomeOfError } from '../application/command-keys.js';
import { Commands } from '../application/commands.js';
import { KeptAnswers } from '../application/kept-answers.js';
import { Latency } from '../../shared/application/latency.js';
import { timeLeft } from './bounded-calls.js';
import { Edge } from './edge.js';
import type { Route } from './routes.js';

/**
 * Headers of a service's answer that reach the caller. A policy from a service is stricter than that of every page: a
 * transcript runs nothing and loads nothing.
 */
const PASSED = [
  'content-type',
  'content-disposition',
  'content-security-policy',
  'cache-control',
  'retry-after',
  'allow',
  'age',
];

const UNAVAILABLE = 503;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer of a service: whole, or a file that is read while it is sent on. */
type Forwarded = ServiceAnswer | (Omit<ServiceAnswer, 'body'> & { readonly body: Readable });

/** Passes an admitted call on to the service that owns it, with the caller's context signed (distributed run). */
@Injectable()
export class Forwarder {
  private readonly kept = new KeptAnswers();

  constructor(
    private readonly edge: Edge,
    private readonly commands: Commands,
    private readonly keys: CommandKeys,
    private readonly latency: Latency,
    private readonly clock: Clock,
    private readonly calls: InternalCalls,
  ) {}

  async forward(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<void> {
    const context = repeatable(await this.edge.admit(request, route.policy));
    const leave = route.policy.money && context.commandId ? this.commands.enter(context.commandId) : () => false;
    const from = performance.now();
    try {
      const send = (): Promise<Forwarded> => this.send(request, route, context, timeLeft(reply));
      const ask = (): Promise<Forwarded> =>
        tracing.on ? inSpan(`forward ${route.service}`, { kind: 'client' }, send) : send();
      // An answer to HEAD has no body that could be kept.
      const keeps = route.policy.keepsLastAnswer === true && request.method !== 'HEAD';
      const response = keeps ? await this.askOrReadLast(request, context, ask) : await ask();
      for (const name of PASSED) {
        const value = response.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      const isOrder = route.policy.rate === 'order' && response.status === 200;
      // The body is parsed for these calls only.
      if (request.claimedKey || isOrder) {
        const { type = 'ok', id } = envelopeOf(response);
        if (request.claimedKey) await this.keys.settle(request.claimedKey, outcomeOf(type, response.status));
        if (isOrder && type === 'ok' && typeof id === 'string')
          this.latency.acked(id, performance.now() - from, this.clock.real());
      }
      await reply.code(response.status).send(response.body);
    } catch (error) {
      if (request.claimedKey) await this.keys.settle(request.claimedKey, outcomeOfError(error));
      throw error;
    } finally {
      leave();
    }
  }

  /**
   * Returns the answer of a service; while the service is unavailable, its last kept answer with the header `age`. A
   * process that has just started counts as unavailable: it answers 503 until it has read the catalog.
   */
  private async askOrReadLast(
    request: FastifyRequest,
    { lang }: CallContext,
    ask: () => Promise<Forwarded>,
  ): Promise<Forwarded> {
    const name = [lang, request.method, request.url, JSON.stringify(request.body ?? {})].join(' ');
    let answer: Forwarded | undefined;
    let problem: unknown;
    try {
      answer = await ask();
    } catch (error) {
      problem = error;
    }
    if (answer && answer.status !== UNAVAILABLE) {
      if (answer.status === 200 && Buffer.isBuffer(answer.body)) this.kept.keep(name, answer.body, this.clock.real());
      return answer;
    }
    const last = this.kept.readLast(name, this.clock.real());
    if (last) {
      const age = String(Math.floor(last.ageMs / 1_000));
      return { status: 200, headers: { 'content-type': JSON_TYPE, age }, body: Buffer.from(last.body) };
    }
    if (answer) return answer;
    throw problem;
  }

  /**
   * Retries once after a lost connection if that is harmless: reads, and money calls, whose id makes the second one a
   * repeat (`repeatable`). Of a file the head and the first piece have to come within the time, and then each piece: a
   * long history takes longer than a call may, and is never here as a whole. Before its first piece the caller has got
   * nothing, so the call is repeated or refused like any other.
   */
  private async send(
    request: FastifyRequest,
    { service, base, policy }: Route,
    context: CallContext,
    leftMs: number,
  ): Promise<Forwarded> {
    // HEAD is answered like GET, without the body.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const body = isRead ? '' : JSON.stringify(request.body ?? {});
    const url = new URL(`${base}${request.url}`);
    let sent = false;
    const late = new AbortController();
    const { signal } = late;
    const timer = setTimeout(() => late.abort(), leftMs);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const {
          status,
          headers,
          body: answer,
        } = await openService(url, {
          method: request.method,
          signal,
          headers: {
            ...this.calls.sign(
              service,
              { method: request.method, url: url.pathname + url.search, body },
              this.clock.real(),
              context,
            ),
            ...(isRead ? {} : { 'content-type': 'application/json' }),
          },
          ...(isRead ? {} : { body }),
        });
        if (isFile(headers['content-disposition'])) {
          const pieces = piecesOf(answer, CALL_DEADLINE_MS);
          const first = await pieces.next();
          clearTimeout(timer);
          const file = Readable.from(joinFirstPiece(first, pieces), { objectMode: false });
          // A file whose reader has left before its first piece was read ends its pieces without a start.
          file.once('close', () => answer.destroy());
          return { status, headers, body: file };
        }
        const whole = await bodyOf(answer, `${request.method} ${url.pathname}`);
        clearTimeout(timer);
        return { status, headers, body: whole };
      } catch (error) {
        const refused = (error as { code?: unknown }).code === 'ECONNREFUSED';
        sent ||= !refused;
        if (!signal.aborted && attempt === 0 && (refused || policy.money || isRead)) continue;
        clearTimeout(timer);
        throw new Refused(policy.money && sent ? 'common.processing' : 'common.unavailable');
      }
    }
  }
}

/**
 * The context of a call that may be delivered twice. To its service the id of a money call is one under a key even if
 * the caller gave none: a service decides a call without a key each time that it comes. The id is of this request
 * alone, so it stands for the body too.
 */
function repeatable(context: CallContext): CallContext {
  const { commandId, hasKey } = context;
  return commandId === null || hasKey ? context : { ...context, hasKey: true, bodyHash: commandId };
}

async function* joinFirstPiece(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

const isFile = (disposition: string | undefined): boolean => disposition?.startsWith('attachment') === true;

/** The envelope of an answer; empty for an answer without one, such as a file. */
function envelopeOf({ body }: Forwarded): { readonly type?: string; readonly id?: unknown } {
  if (!Buffer.isBuffer(body)) return {};
  try {
    return JSON.parse(body.toString('utf8')) as { type?: string; id?: unknown };
  } catch {
    return {};
  }
}

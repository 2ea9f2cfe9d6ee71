import {
  Catch,
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type ExceptionFilter,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { BaseRpcContext, Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { readBody, type Message } from '@bourse/events';
import type { Database } from '@bourse/persistence';
import { spanBelow, tracing } from '@bourse/platform';
import { isObservable, lastValueFrom, throwError, type Observable } from 'rxjs';
import { Asks, Log, type ConsumeSpec, type OwnSpec } from '../ports.js';
import {
  type AskExtras,
  type Awaited,
  type Delivered,
  type EventExtras,
  type MessageBatch,
  type MessageBody,
  type ReaderExtras,
  type StandbyExtras,
} from './patterns.js';

interface Consumer {
  readonly topic: string;
  readonly delivered: Delivered;
  readonly handler: MessageHandler;
}

/**
 * Nest's transport over the log and the asks (decision 0086): it passes messages of the log to methods with
 * `@EventPattern(topic, …)`, and questions of other services to methods with `@Answers(ask)`.
 * Ownership, order, positions, transactions, dead letters and deadlines are those of `Log` and `Asks`.
 */
@Injectable()
export class LogTransport
  extends Server
  implements CustomTransportStrategy, OnApplicationBootstrap, BeforeApplicationShutdown
{
  /** An error of a handler is the log's: it decides between another try and a dead letter. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly consumers = new Map<string, Consumer>();
  private readonly handles: { stop(): Promise<void> }[] = [];
  private started = false;
  private stop: () => void = () => undefined;
  private readonly stopped = new Promise<void>((resolve) => {
    this.stop = resolve;
  });
  private isStopping = false;

  constructor(
    @Inject(Asks) private readonly asks: Pick<Asks, 'handle'>,
    @Inject(Log) private readonly log: Pick<Log, 'consume' | 'follow' | 'own' | 'partitionsOf' | 'read' | 'shared'>,
    @Inject(ModuleRef) private readonly modules: Pick<ModuleRef, 'get'>,
  ) {
    super();
  }

  /**
   * Called by Nest for each method that bears a pattern. Asks are answered from here on. Throws for one declared twice.
   */
  override addHandler(
    pattern: unknown,
    handler: MessageHandler,
    isEventHandler = false,
    extras: Partial<AskExtras & EventExtras & ReaderExtras & StandbyExtras> = {},
  ): void {
    const name = String(pattern);
    const { delivered, readerOf, standbyOf } = extras;
    const key =
      delivered?.consumer ??
      (standbyOf !== undefined ? standbyKey(standbyOf) : readerOf !== undefined ? readerKey(readerOf) : name);
    if (this.messageHandlers.has(key)) throw new Error(`two handlers are declared for ${key}`);
    super.addHandler(key, handler, isEventHandler, extras);
    if (delivered) this.consumers.set(key, { topic: name, delivered, handler });
    else if (!isEventHandler)
      this.asks.handle({ name, question: {}, answer: {}, askedBy: extras.askedBy ?? [] }, (question: unknown) =>
        outcome<unknown>(handler(question)),
      );
  }

  /** All parts of the process are initialized: messages that wait in the log are taken while they start. */
  onApplicationBootstrap(): void {
    this.listen(() => undefined);
  }

  /** Begins to take events; once. */
  listen(callback: () => void): void {
    if (!this.started) {
      this.started = true;
      this.checkPatterns();
      for (const consumer of this.consumers.values()) void this.start(consumer);
    }
    callback();
  }

  async close(): Promise<void> {
    this.isStopping = true;
    this.stop();
    await Promise.all(this.handles.splice(0).map((handle) => handle.stop()));
  }
  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  override on(): never {
    throw new Error('a log has no events of its own');
  }
  override unwrap<T>(): T {
    return this.log as T;
  }

  /** A handler that no message can reach is a programming mistake. */
  private checkPatterns(): void {
    for (const [key, { isEventHandler, extras }] of this.messageHandlers) {
      if (!isEventHandler || extras?.['delivered']) continue;
      const owner = this.consumers.get(String(extras?.['standbyOf']));
      const follower = this.consumers.get(String(extras?.['readerOf']));
      if (owner?.delivered.as !== 'partitions' && follower?.delivered.as !== 'memory')
        throw new Error(`the pattern ${key} says not how its messages come`);
    }
  }

  private async start({ topic, delivered, handler }: Consumer): Promise<void> {
    const { consumer, after = [] } = delivered;
    const awaited = after.map((token) => this.modules.get<Awaited>(token as string, { strict: false }).ready());
    await Promise.race([Promise.all(awaited), this.stopped]);
    if (this.isStopping) return;
    const database = this.modules.get<Database>(delivered.database as string, { strict: false });
    const context = new BaseRpcContext([consumer, topic]);
    const call: Call = (payload) => outcome<void>(handler(payload, context));
    const where = { consumer, topic, database };
    if (delivered.as === 'partitions') this.own({ ...delivered, ...where, run: call });
    else if (delivered.as === 'memory') this.followOrRead(where, call);
    else this.handles.push(this.log.consume({ ...delivered, ...where, handle: handleOf(delivered, call) }));
  }

  private followOrRead({ consumer, topic, database }: Where, call: Call): void {
    const read = this.messageHandlers.get(readerKey(consumer));
    if (!read || !this.log.shared) {
      this.handles.push(this.log.follow({ consumer, topic, database, take: (taken) => call(taken) }));
      return;
    }
    const context = new BaseRpcContext([consumer, topic]);
    for (let partition = 0; partition < this.log.partitionsOf(topic); partition += 1)
      this.handles.push(
        this.log.read({ consumer, topic, partition, run: (reading) => outcome<void>(read(reading, context)) }),
      );
  }

  private own(spec: Omit<OwnSpec, 'partition' | 'standby'>): void {
    const { consumer, topic } = spec;
    const standby = this.messageHandlers.get(standbyKey(consumer));
    for (let partition = 0; partition < this.log.partitionsOf(topic); partition += 1)
      this.handles.push(
        this.log.own({
          ...spec,
          partition,
          standby: () => void standby?.(partition, new BaseRpcContext([consumer, topic])),
        }),
      );
  }
}

const standbyKey = (consumer: string): string => `${consumer}.standby`;
const readerKey = (consumer: string): string => `${consumer}.reader`;

type Where = Pick<OwnSpec, 'consumer' | 'topic' | 'database'>;

type Call = (payload: unknown) => Promise<void>;

/** Makes the handler of a batch: it gets the batch as it is, or each body of the one kind, in order. */
function handleOf(delivered: Delivered, call: Call): ConsumeSpec['handle'] {
  if (delivered.as !== 'bodies') return (messages, tx) => call({ messages, tx } satisfies MessageBatch);
  const { definition } = delivered;
  return async (messages, tx) => {
    for (const message of messages) {
      if (message.type !== definition.name) continue;
      const handled = { body: readBody(definition, message), tx } satisfies MessageBody<unknown>;
      await (tracing.on ? inTraceOf(message, () => call(handled)) : call(handled));
    }
  };
}

/** Runs `work` in the trace of the handled message, so that messages it sends belong to that trace. */
async function inTraceOf({ trace, type }: Message, work: () => Promise<void>): Promise<void> {
  const span = spanBelow(trace, `handle ${type}`, { kind: 'consumer' });
  if (!span) return work();
  try {
    await span.run(work);
    span.end();
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/**
 * Waits for the result of a handler: Nest returns the value, or a stream of it where a filter or an interceptor was
 * applied.
 */
async function outcome<T>(given: Promise<Observable<T> | T> | Observable<T> | T): Promise<T> {
  const result = await given;
  return isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined as T }) : result;
}

/** Errors of handlers as they are: refusals reach the asker, and the log checks the others. Nest would hide them. */
@Catch()
export class AsThrown implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

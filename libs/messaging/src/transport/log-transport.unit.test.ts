import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SpotModeV1, TOPICS, type Message, type SpotModeChange } from '@bourse/events';
import type { Database, Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { defineAsk, shape } from '../asks/define.js';
import { InProcessAsks } from '../asks/in-process.js';
import {
  Asks,
  AskUnavailable,
  Log,
  type ConsumeSpec,
  type FollowSpec,
  type OwnedPartition,
  type OwnSpec,
  type Reading,
  type ReadSpec,
} from '../ports.js';
import { Answers } from './answers.js';
import { connectTransport } from './connect.js';
import { LogTransport } from './log-transport.js';
import {
  batches,
  bodies,
  inMemory,
  ownedPartitions,
  readByAll,
  standby,
  type MessageBatch,
  type MessageBody,
} from './patterns.js';

class Store {}
class Gate {
  open: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
  ready(): Promise<void> {
    return this.opened;
  }
}
const DATABASE = new Store() as Database;
const TX = { name: 'tx' } as unknown as Tx;

/** Records the transport's calls of the log. */
class RecordingLog {
  readonly consumed: ConsumeSpec[] = [];
  readonly followed: FollowSpec[] = [];
  readonly owned: OwnSpec[] = [];
  readonly reads: ReadSpec[] = [];
  constructor(readonly shared = false) {}
  stopped = 0;
  private readonly handle = {
    stop: (): Promise<void> => {
      this.stopped += 1;
      return Promise.resolve();
    },
  };
  partitionsOf(): number {
    return 2;
  }
  consume(spec: ConsumeSpec): { stop(): Promise<void> } {
    this.consumed.push(spec);
    return this.handle;
  }
  follow(spec: FollowSpec): { stop(): Promise<void> } {
    this.followed.push(spec);
    return this.handle;
  }
  read(spec: ReadSpec): { stop(): Promise<void> } {
    this.reads.push(spec);
    return this.handle;
  }
  own(spec: OwnSpec): { stop(): Promise<void> } {
    this.owned.push(spec);
    return this.handle;
  }
}

async function started(
  controller: Type,
  { shared = false } = {},
): Promise<{
  log: RecordingLog;
  asks: InProcessAsks;
  gate: Gate;
  controller: unknown;
  close(): Promise<void>;
}> {
  const [log, asks, gate] = [new RecordingLog(shared), new InProcessAsks(), new Gate()];
  class Root {}
  Module({
    controllers: [controller],
    providers: [
      { provide: Log, useValue: log },
      { provide: Asks, useValue: asks },
      { provide: Store, useValue: DATABASE },
      { provide: Gate, useValue: gate },
      LogTransport,
    ],
  })(Root);
  const app = await NestFactory.create(Root, new FastifyAdapter(), { logger: false, abortOnError: false });
  await connectTransport(app);
  await app.init();
  return { log, asks, gate, controller: app.get(controller), close: () => app.close() };
}

const mode = (symbol: string): Message => SpotModeV1.encode({ symbol, mode: 'halted', requestedAt: 1 });

const number = shape<{ n: number }>();
const double = defineAsk('notices.double', { question: number, answer: number, askedBy: ['gateway'] });
const refuse = defineAsk('notices.refuse', { question: number, answer: number, askedBy: [] });
const fails = defineAsk('notices.fail', { question: number, answer: number, askedBy: [] });

@Controller()
class Things {
  @Answers(double)
  double({ n }: { n: number }): { n: number } {
    return { n: 2 * n };
  }
  @Answers(refuse)
  refuse(): Promise<never> {
    return Promise.reject(new Refused('common.notFound', { what: 'it' }));
  }
  @Answers(fails)
  fail(): never {
    throw new Error('out of order');
  }
}

test('an ask reaches the method of its pattern; refusals come unchanged, errors as away [LOG-047]', async () => {
  const { asks, close } = await started(Things);
  expect(await asks.ask(double, { n: 21 })).toEqual({ n: 42 });
  await expect(asks.ask(refuse, { n: 1 })).rejects.toMatchObject({ key: 'common.notFound', params: { what: 'it' } });
  await expect(asks.ask(fails, { n: 1 })).rejects.toThrow('notices.fail failed: out of order');
  await close();
});

test('an ask that no method answers fails after its time, and a later one does not wait for it [LOG-047]', async () => {
  const { asks, close } = await started(Things);
  const unknown = defineAsk('notices.unknown', { question: number, answer: number, askedBy: [] });
  await expect(asks.ask(unknown, { n: 1 }, 60)).rejects.toThrow(AskUnavailable);
  await close();
});

const taken: unknown[] = [];

@Controller()
class Consumers {
  @EventPattern('a.topic', batches({ consumer: 'a.batches', database: Store, relaxed: true, gatherMs: 5 }))
  async batch(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    await sleep(1);
    taken.push(['batch', messages.length, tx]);
    if (messages.length === 3) throw new Error('three are too many');
  }
  @EventPattern('a.topic', bodies(SpotModeV1, { consumer: 'a.bodies', database: Store }))
  body(@Payload() { body, tx }: MessageBody<SpotModeChange>): void {
    taken.push(['body', body.symbol, tx]);
  }
  @EventPattern(TOPICS.userEvents, inMemory({ consumer: 'a.memory', database: Store }))
  memory(@Payload() messages: readonly Message[]): void {
    taken.push(['memory', messages.length]);
  }
  @EventPattern('b.topic', ownedPartitions({ consumer: 'a.owner', database: Store, after: [Gate] }))
  async own(@Payload() owned: OwnedPartition): Promise<void> {
    taken.push(['own', owned.partition]);
    await Promise.resolve();
    throw new TypeError('lost');
  }
  @EventPattern('b.topic', standby('a.owner'))
  standBy(@Payload() partition: number): void {
    taken.push(['standby', partition]);
  }
}

test('delivered messages reach the methods, in the transaction; errors are the log’s [LOG-047]', async () => {
  const { log, close } = await started(Consumers);
  taken.length = 0;
  const [batched, bodied] = log.consumed;
  expect(batched).toMatchObject({
    consumer: 'a.batches',
    topic: 'a.topic',
    database: DATABASE,
    relaxed: true,
    gatherMs: 5,
  });
  await batched!.handle([mode('A'), mode('B')], TX);
  await expect(batched!.handle([mode('A'), mode('B'), mode('C')], TX)).rejects.toThrow('three are too many');
  await bodied!.handle([mode('A'), { ...mode('B'), type: 'another.v1' }, mode('C')], TX);
  expect(bodied).not.toHaveProperty('relaxed');
  await log.followed[0]!.take([mode('A')]);
  expect(taken).toEqual([
    ['batch', 2, TX],
    ['batch', 3, TX],
    ['body', 'A', TX],
    ['body', 'C', TX],
    ['memory', 1],
  ]);
  await close();
  expect(log.stopped).toBe(3);
});

test('a body that does not fit its schema reaches no method: the log makes a dead letter of it [LOG-047]', async () => {
  const { log, close } = await started(Consumers);
  taken.length = 0;
  const unfit = { ...mode('A'), body: { symbol: 5 } } as unknown as Message;
  await expect(log.consumed[1]!.handle([mode('B'), unfit], TX)).rejects.toThrow('symbol');
  expect(taken).toEqual([['body', 'B', TX]]);
  await close();
});

test('an owner gets its partitions after what it waits for, and standby calls for the others [LOG-047]', async () => {
  const { log, gate, close } = await started(Consumers);
  taken.length = 0;
  expect(log.owned).toEqual([]);
  gate.open();
  await sleep(1);
  expect(log.owned.map(({ partition }) => partition)).toEqual([0, 1]);
  const [, second] = log.owned;
  await expect(second!.run({ partition: 1 } as OwnedPartition)).rejects.toThrow(TypeError);
  second!.standby!();
  await sleep(1);
  expect(taken).toEqual([
    ['own', 1],
    ['standby', 1],
  ]);
  await close();
});

test('an owner that is closed while it waits takes nothing any more [LOG-047]', async () => {
  const { log, gate, close } = await started(Consumers);
  await close();
  gate.open();
  await sleep(1);
  expect(log.owned).toEqual([]);
});

@Controller()
class ReadsAll {
  @EventPattern(TOPICS.userEvents, inMemory({ consumer: 'a.all', database: Store }))
  memory(@Payload() messages: readonly Message[]): void {
    taken.push(['memory', messages.length]);
  }
  @EventPattern(TOPICS.userEvents, readByAll('a.all'))
  read(@Payload() { partition }: Reading): void {
    taken.push(['read', partition]);
  }
}

test('where several processes share the log each reads all of it; in one its messages come [LOG-047]', async () => {
  const one = await started(ReadsAll);
  const many = await started(ReadsAll, { shared: true });
  taken.length = 0;
  expect([one.log.followed.length, one.log.reads.length]).toEqual([1, 0]);
  expect([many.log.followed.length, many.log.reads.map(({ partition }) => partition)]).toEqual([0, [0, 1]]);
  await one.log.followed[0]!.take([mode('A')]);
  await many.log.reads[1]!.run({ partition: 1 } as Reading);
  expect(taken).toEqual([
    ['memory', 1],
    ['read', 1],
  ]);
  await one.close();
  await many.close();
  expect(many.log.stopped).toBe(2);
});

@Controller()
class Undelivered {
  @EventPattern('a.topic', {})
  nothing(_payload: unknown): void {
    taken.push('never');
  }
}
@Controller()
class Twice {
  @Answers(double)
  one(): { n: number } {
    return { n: 1 };
  }
  @Answers(double)
  two(): { n: number } {
    return { n: 2 };
  }
}

test('a pattern that nothing can reach, or declared twice, is refused at the start [LOG-047]', async () => {
  await expect(started(Undelivered)).rejects.toThrow('the pattern a.topic says not how its messages come');
  await expect(started(Twice)).rejects.toThrow('two handlers are declared for notices.double');
});

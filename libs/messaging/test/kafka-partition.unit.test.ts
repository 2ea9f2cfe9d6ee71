import { afterEach, expect, jest, test } from '@jest/globals';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { chainHash, type Tx } from '@bourse/persistence';
import { KafkaPartition, looseFrom, type PartitionOwnership } from '../src/kafka/kafka-partition.js';
import type { PartitionEvents } from '../src/kafka/partition-events.js';
import type { Position } from '../src/ownership/ownership.js';
import type { Delivery } from '../src/index.js';

const HOUR_MS = 3_600_000;
const fail = (what: string): never => {
  throw new Error(what);
};
const EVENTS: PartitionEvents = {
  stopped: (stream, number, reason) => fail(`${stream} #${number}: ${reason}`),
  resumed: () => undefined,
  silent: () => undefined,
  trouble: () => undefined,
  refused: fail,
  forged: fail,
  fatal: fail,
};
const seeks: string[] = [];
afterEach(() => {
  jest.restoreAllMocks();
});
const CONSUMER = {
  events: {},
  ...{ on: () => undefined, seek: ({ offset }: { offset: string }) => seeks.push(offset) },
  ...{ connect: () => Promise.resolve(), disconnect: () => Promise.resolve() },
  ...{ subscribe: () => Promise.resolve(), run: () => Promise.resolve() },
} as unknown as Consumer;
const KAFKA: Pick<Kafka, 'consumer'> = { consumer: () => CONSUMER };

const batchOf = (messages: readonly Partial<KafkaMessage>[], end = messages.length): EachBatchPayload =>
  ({
    batch: { highWatermark: String(end), messages },
    resolveOffset: () => undefined,
    heartbeat: () => Promise.resolve(),
    isRunning: () => true,
    isStale: () => false,
  }) as unknown as EachBatchPayload;

test('fetched records are passed on at once, and the next fetch waits for the pause [LOG-067]', async () => {
  const abort = new AbortController();
  const partition = new KafkaPartition(
    { consumer: 'market.trades', topic: 'ledger.commands', partition: 0, fetchPauseMs: HOUR_MS },
    looseFrom(0n),
    abort,
    'ledger.commands',
    KAFKA,
    EVENTS,
  );
  const message = { type: 'ledger.command.v1', key: '7', body: {} };
  let isPaused = true;
  const received = partition
    .receive(batchOf([{ offset: '0', timestamp: '0', headers: {}, value: Buffer.from(JSON.stringify(message)) }]))
    .then(() => (isPaused = false));
  expect(await partition.take(10)).toMatchObject([{ kind: 'command', message }]);
  expect(isPaused).toBe(true);
  abort.abort(); // an owner that ends does not wait for the pause
  await received;
});

/** Each owner's memory of a partition of `ledger.commands`, and the one row that they share. */
class Owners {
  private kafkaOffset: string | null = null;
  private heldOffset: string | null = null;
  private readonly positions = new Map<string, Position>();
  private partition: KafkaPartition | undefined;

  /** The next owner: it reads the records from where it continues. Returns what it takes, by name. */
  async takeOver(records: readonly Partial<KafkaMessage>[]): Promise<ReadonlyMap<string, Delivery>> {
    await this.open();
    return this.take(records);
  }

  /** The next owner, which has fetched nothing yet. */
  async open(): Promise<void> {
    await this.partition?.close();
    const ownership: PartitionOwnership = {
      epoch: 1,
      kafkaOffset: this.kafkaOffset,
      heldOffset: this.heldOffset,
      positions: () => Promise.resolve(new Map(this.positions)),
      advance: (_tx, steps, kafka) => {
        expect(kafka?.from).toBe(this.kafkaOffset);
        this.kafkaOffset = kafka?.to ?? this.kafkaOffset;
        this.heldOffset = kafka?.held ?? null;
        for (const { stream, number, hash } of steps) this.positions.set(stream, { number, hash });
        return Promise.resolve();
      },
    };
    const spec = { consumer: 'ledger.writer', topic: 'ledger.commands', partition: 0, fetchPauseMs: 0 };
    this.partition = new KafkaPartition(spec, ownership, new AbortController(), spec.topic, KAFKA, EVENTS);
    await this.partition.start();
  }

  /** Fetches these records of a log that ends at an offset. */
  receive(records: readonly Partial<KafkaMessage>[], end: number): Promise<void> {
    return this.partition!.receive(batchOf(records, end));
  }

  /** Takes these records. */
  async take(records: readonly Partial<KafkaMessage>[], end = records.length): Promise<ReadonlyMap<string, Delivery>> {
    await this.receive(records, end);
    const taken = await this.partition!.take(100);
    return new Map(
      taken.map((one) => [one.kind === 'row' ? `${one.row.stream} ${one.row.number}` : one.message.key, one]),
    );
  }

  /** Commits these deliveries. */
  apply(...deliveries: (Delivery | undefined)[]): Promise<void> {
    return this.commit(deliveries, () => undefined);
  }

  /** Commits these deliveries while the log begins again. */
  applyToEmptied(...deliveries: (Delivery | undefined)[]): Promise<void> {
    return this.commit(deliveries, () => this.partition!.emptied());
  }

  private async commit(deliveries: readonly (Delivery | undefined)[], meanwhile: () => void): Promise<void> {
    const committed: (() => void)[] = [];
    const tx = { afterCommit: (run: () => void) => committed.push(run) } as unknown as Tx;
    await this.partition!.advance(
      tx,
      deliveries.filter((one) => one !== undefined),
    );
    meanwhile();
    for (const run of committed) run();
  }

  stop(stream: string, number: number): void {
    expect(() => this.partition!.stopStream(stream, number, 'it cannot be applied')).toThrow('it cannot be applied');
  }

  get stored(): { readonly to: string | null; readonly held: string | null } {
    return { to: this.kafkaOffset, held: this.heldOffset };
  }
}

/** Records of one partition, with offsets as they come. */
function records(): { all: Partial<KafkaMessage>[]; command(key: string): void; row(stream: string): void } {
  const all: Partial<KafkaMessage>[] = [];
  const heads = new Map<string, { number: number; hash: string }>();
  const add = (headers: Record<string, string>, value: string): void =>
    void all.push({ offset: String(all.length), timestamp: '0', headers, value: Buffer.from(value) });
  return {
    all,
    command: (key) => add({}, JSON.stringify({ type: 'w', key, body: {} })),
    row: (stream) => {
      const { number, hash: prev } = heads.get(stream) ?? { number: 0, hash: '' };
      const value = JSON.stringify([{ type: 'w', key: 'k', body: {} }]);
      const hash = chainHash(prev, value);
      heads.set(stream, { number: number + 1, hash });
      add({ stream, number: String(number + 1), prev, hash }, value);
    },
  };
}

test('the next owner gets rows that were not applied again, and no command twice [LOG-070]', async () => {
  const { all, command, row } = records();
  row('x');
  command('a');
  row('y');
  row('x');
  command('b');
  const owners = new Owners();
  const first = await owners.takeOver(all);
  await owners.apply(first.get('a'), first.get('y 1'), first.get('b'));
  expect(owners.stored).toEqual({ to: '5', held: '0' });
  const second = await owners.takeOver(all);
  expect([...second.keys()]).toEqual(['x 1', 'x 2']);
  await owners.apply(second.get('x 1'));
  expect(owners.stored).toEqual({ to: '5', held: '3' });
  const third = await owners.takeOver(all);
  expect([...third.keys()]).toEqual(['x 2']);
  await owners.apply(third.get('x 2'));
  command('c');
  const next = await owners.take(all);
  expect([...next.keys()]).toEqual(['c']);
  await owners.apply(next.get('c'));
  expect(owners.stored).toEqual({ to: '6', held: null });
});

test('a stopped stream holds its offset until its rows are sent again and applied [LOG-070]', async () => {
  const { all, command, row } = records();
  row('x');
  command('a');
  const owners = new Owners();
  const first = await owners.takeOver(all);
  await owners.apply(first.get('a'));
  owners.stop('x', 1);
  command('b');
  await owners.apply((await owners.take(all)).get('b'));
  expect(owners.stored).toEqual({ to: '3', held: '0' });
  all.push({ ...all[0]!, offset: '3' });
  await owners.apply((await owners.take(all)).get('x 1'));
  expect(owners.stored).toEqual({ to: '4', held: null });
});

test('a log that begins again during the first commit is read from its beginning [LOG-070]', async () => {
  const { all, command } = records();
  command('a');
  command('b');
  const owners = new Owners();
  const first = await owners.takeOver(all);
  await owners.applyToEmptied(first.get('a'), first.get('b'));
  const begun = records();
  begun.command('c');
  begun.command('d');
  begun.command('e');
  expect([...(await owners.take(begun.all)).keys()]).toEqual(['c', 'd', 'e']);
});

/** An owner of a log with the commands `a` and `b` and a row between them, which its predecessor has not applied. */
async function ownerWithHeldRow(): Promise<{ owners: Owners; all: Partial<KafkaMessage>[] }> {
  const { all, command, row } = records();
  command('a');
  row('x');
  command('b');
  const owners = new Owners();
  const first = await owners.takeOver(all);
  await owners.apply(first.get('a'), first.get('b'));
  expect(owners.stored).toEqual({ to: '3', held: '1' });
  await owners.open();
  return { owners, all };
}

test('a log that begins again and reaches beyond the held offset is read from its beginning [LOG-070]', async () => {
  const { owners } = await ownerWithHeldRow();
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const begun = records();
  begun.command('c');
  begun.command('d');
  seeks.length = 0;
  await owners.receive(begun.all.slice(1), 2);
  expect(seeks).toEqual([]);
  now = 5_000;
  await owners.receive(begun.all.slice(1), 2);
  expect(seeks).toEqual(['-2']);
  expect([...(await owners.take(begun.all)).keys()]).toEqual(['c', 'd']);
});

test('a log whose new leader knows a lower end for a moment does not begin again [LOG-070]', async () => {
  const { owners, all } = await ownerWithHeldRow();
  await owners.receive(all.slice(1, 2), 2);
  expect([...(await owners.take(all.slice(1), 3)).keys()]).toEqual(['x 1']);
});

import { FIRST_PRICES, type SpotOrder } from '@bourse/contract';
import {
  available,
  LedgerCommandV1,
  ledgerPartition,
  SpotModeV1,
  TOPICS,
  type LedgerReply,
  type Leg,
} from '@bourse/events';
import type { AnySimulatedProduct, SimulatedAnswers, SimulatedCall } from '@bourse/ledger-client';
import { formatUnits, toUnits } from '@bourse/money';
import type { Timers, Tx } from '@bourse/persistence';
import { Notice, readFields, Refused, Unavailable, isConnectionRefused, type CallContext } from '@bourse/platform';
import { CancelOrderBody, PlaceOrderBody } from '@bourse/spot-matching/simulation';
import { TransferBody } from '@bourse/wallet-ledger/simulation';
import { SimulatedProcess, type Simulator } from './simulator.js';
import { TIMER, type Dependencies, type World } from './world.js';
import { LOAD_MS } from './fault-plan.js';
import { inScope } from './host.js';
import { PRODUCTS } from './products.generated.js';

export type Fields = Readonly<Record<string, string>>;
export type Kind = 'order' | 'cancel' | 'transfer';
/** What a client was told. `nothing`: surely not done. */
export type CallOutcome =
  | { readonly kind: 'ok'; readonly id: string; readonly order?: SpotOrder }
  | { readonly kind: 'refused'; readonly key: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' };

/** One intent of a user, under one command id, with all that its client did and heard. */
export interface Intent {
  readonly commandId: string;
  readonly user: number;
  readonly kind: Kind;
  readonly fields: Fields;
  readonly bodyHash: string;
  /** The latest limit that any attempt has carried. */
  validUntil: number;
  lastAttemptAt: number;
  readonly outcomes: CallOutcome[];
  /** Asked for by its id after the faults: its answer, or that there is none. */
  resolved: LedgerReply | null | undefined;
}

/** Money that everybody begins with, in decimal text by currency. */
/** What the house has for a product, all of it in one partition at first. */
export const HOUSE_PURSE = { account: 'h.micro', currency: 3, amount: '900' } as const;
export const PURSE: Readonly<Record<number, string>> = { 1: '5', 2: '60', 3: '200000' };
/** Calls to each product in one run. */
const CALLS = 20;
const PATIENCE_MS = 5_000;
const FORGET_MS = 15_200;
const OPERATOR = 900_001;

/** People with command ids: they trade, cancel, transfer, repeat, give up and ask later. */
export class Clients {
  readonly intents: Intent[] = [];
  readonly users: readonly number[];
  /** What was wrong with an answer when it came. */
  readonly problems: string[] = [];
  /** Deadlines that were set: whether that was confirmed, and what became of taking them back. */
  readonly deadlines = new Map<
    string,
    { readonly dueAt: number; readonly set: boolean; readonly taken: boolean | 'unknown' | null }
  >();
  /** The calls to products, and what each was told, by service. */
  readonly calls = new Map<
    string,
    (SimulatedAnswers & { readonly commandId: string; readonly told: CallOutcome[] })[]
  >();
  private readonly known = new Map<number, string[]>();
  private readonly process: SimulatedProcess;
  private readonly simulator: Simulator;
  private serial = 0;
  seeded = false;
  done = false;
  settledDown = false;
  failure: unknown = null;

  constructor(private readonly world: World) {
    this.simulator = world.simulator;
    this.process = new SimulatedProcess('clients', 0, this.simulator);
    this.users = Array.from({ length: 4 + this.simulator.random.int(3) }, (_, index) => 100_001 + index);
  }

  /** Gives everybody their first money; before any fault. */
  seed(): void {
    this.run(async () => {
      await Promise.all([...this.users.map((user) => this.seedUser(user)), this.seedHouse()]);
      this.seeded = true;
    });
  }

  trade(): void {
    this.run(async () => {
      await Promise.all([
        ...this.users.map((user) => this.tradeAs(user)),
        this.operate(),
        this.setDeadlines(),
        ...PRODUCTS.map((product) => this.use(product)),
      ]);
      this.done = true;
    });
  }

  /** Asks for every outcome that is still unknown, as a client does once it is back. */
  settleDown(): void {
    this.run(async () => {
      await Promise.all(this.intents.filter((intent) => this.open(intent)).map((intent) => this.resolve(intent)));
      this.settledDown = true;
    });
  }

  private run(work: () => Promise<void>): void {
    this.simulator.schedule(this.process, 0, 'clients go on', () => {
      work().catch((error: unknown) => {
        this.failure = error;
      });
    });
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.simulator.schedule(this.process, ms, 'pause', resolve);
    });
  }

  private seedUser(user: number): Promise<void> {
    const legs = Object.entries(PURSE).map(([currency, amount]) => ({
      from: 'h.outside',
      to: available(user, 'change'),
      currency: Number(currency),
      amount,
    }));
    return this.seedOne(user, ledgerPartition(user, this.world.plan.ledgerPartitions), legs);
  }

  private seedHouse(): Promise<void> {
    const { account, currency, amount } = HOUSE_PURSE;
    return this.seedOne(OPERATOR, 0, [{ from: 'h.outside', to: account, currency, amount }]);
  }

  private async seedOne(user: number, partition: number, legs: Leg[]): Promise<void> {
    const message = LedgerCommandV1.encode({
      commandId: `seed:${user}`,
      issuer: 'seed',
      userId: user,
      answer: { type: 'ok' },
      journals: [
        {
          id: `seed:${user}`,
          causeType: 'seed',
          causeId: String(user),
          legs,
        },
      ],
    });
    while (!this.world.server.row('ledger.command', `seed:${user}`)) {
      const [parts] = this.world.living((one) => one.transfer !== undefined);
      if (parts)
        await new Promise<void>((resolve) => {
          inScope(parts.process, () => {
            parts.log.send(TOPICS.ledgerCommands, partition, message).then(resolve, () => resolve());
          });
        });
      await this.pause(100);
    }
  }

  /** Calls to one product, some of them made again under the same command id. */
  private async use(product: AnySimulatedProduct): Promise<void> {
    const { random } = this.simulator;
    const calls: (SimulatedAnswers & { readonly commandId: string; readonly told: CallOutcome[] })[] = [];
    this.calls.set(product.service, calls);
    for (let number = 1; number <= CALLS; number++) {
      await this.pause(random.between(20, (LOAD_MS * 2) / CALLS));
      const user = random.pick(this.users);
      const known = calls
        .filter((call) => call.user === user)
        .flatMap(({ told }) => told.flatMap((one) => (one.kind === 'ok' ? one.id : [])));
      const { fields, run } = product.draw(random, user, known);
      const told: CallOutcome[] = [];
      const commandId = `${product.service}:${number}`;
      calls.push({ commandId, user, fields, told });
      void this.useOnce(product.service, commandId, run, told);
    }
    await this.pause(LOAD_MS / 2);
  }

  private async useOnce(
    service: string,
    commandId: string,
    run: SimulatedCall<unknown>['run'],
    told: CallOutcome[],
  ): Promise<void> {
    const { random } = this.simulator;
    const call = (): Promise<CallOutcome> =>
      this.call(
        ({ products }) => products?.has(service) === true,
        ({ products, clock }) => {
          const validUntil = clock.real() + 4_000;
          return run(products?.get(service), { commandId, hasKey: true, bodyHash: 'body', validUntil } as CallContext);
        },
      );
    told.push(await call());
    while (random.chance(0.3)) told.push(await call());
  }

  private async operate(): Promise<void> {
    const { random } = this.simulator;
    if (random.chance(0.6)) return;
    const market = random.pick(this.world.markets());
    for (const mode of ['cancel_only', 'normal'] as const) {
      await this.pause(random.between(500, LOAD_MS / 2));
      const change = SpotModeV1.encode({ symbol: market.symbol, mode, requestedAt: 0 });
      const message = LedgerCommandV1.encode({
        issuer: 'spot-matching',
        userId: OPERATOR,
        journals: [],
        forward: { topic: TOPICS.spotCommands, partition: market.partition, message: change },
      });
      await this.call(
        (parts) => parts.place !== undefined,
        (parts) =>
          parts.log
            .send(TOPICS.ledgerCommands, ledgerPartition(OPERATOR, this.world.plan.ledgerPartitions), message)
            .then(() => new Notice('mode')),
      );
    }
  }

  /** Sets deadlines and takes some back, each in a transaction whose outcome may stay unknown. */
  private async setDeadlines(): Promise<void> {
    const { random } = this.simulator;
    for (let number = 1; number <= 8; number++) {
      await this.pause(random.between(50, LOAD_MS / 8));
      const id = `d${number}`;
      const dueAt = Math.floor(this.simulator.now + random.between(-200, LOAD_MS / 2));
      const set = await this.inTimers((timers, tx) => timers.set(tx, TIMER, id, dueAt, null).then(() => true));
      this.deadlines.set(id, { dueAt, set: set !== null, taken: null });
      if (!random.chance(0.4)) continue;
      await this.pause(random.between(10, LOAD_MS / 4));
      this.deadlines.set(id, {
        dueAt,
        set: set !== null,
        taken: (await this.inTimers((timers, tx) => timers.cancel(tx, TIMER, id))) ?? 'unknown',
      });
    }
  }

  /** Null when it did not succeed for certain. */
  private inTimers(work: (timers: Timers, tx: Tx) => Promise<boolean>): Promise<boolean | null> {
    const { simulator, world } = this;
    return new Promise((resolve) => {
      simulator.schedule(this.process, PATIENCE_MS, 'out of patience', () => resolve(null));
      const [parts] = world.living((one) => one.timers !== undefined);
      if (!parts?.timers) return;
      const { timers, process, databases } = parts;
      simulator.schedule(process, 0, 'deadline', () => {
        databases
          .at('gateway')
          .transaction((tx) => work(timers, tx))
          .then(
            (done) => {
              simulator.schedule(this.process, 0, 'deadline done', () => resolve(done));
            },
            () => {
              simulator.schedule(this.process, 0, 'deadline failed', () => resolve(null));
            },
          );
      });
    });
  }

  private async tradeAs(user: number): Promise<void> {
    const { random } = this.simulator;
    const end = this.simulator.now + LOAD_MS;
    const pace = random.between(100, 700);
    while (this.simulator.now < end) {
      await this.pause(random.next() * pace);
      const dice = random.next();
      const mine = this.intents.filter((intent) => intent.user === user);
      const last = mine.at(-1 - random.int(3));
      if (dice < 0.06 && last) await this.attempt(last);
      else if (dice < 0.09 && last) await this.otherBody(last);
      else if (dice < 0.11 && last) await Promise.all([this.attempt(last), this.attempt(last)]);
      else if (dice < 0.3 && this.known.get(user)?.length)
        await this.intend(user, 'cancel', { id: random.pick(this.known.get(user) ?? []) });
      else if (dice < 0.4) await this.intend(user, 'transfer', this.transfer());
      else if (dice < 0.43 && last?.fields['client_order_id'])
        await this.intend(user, 'order', { ...this.order(), client_order_id: last.fields['client_order_id'] });
      else await this.intend(user, 'order', this.order());
    }
  }

  private transfer(): Fields {
    const { random } = this.simulator;
    const [from, to] = random.pick([
      ['change', 'legal'],
      ['legal', 'change'],
      ['change', 'lever'],
      ['lever', 'change'],
    ] as const);
    return {
      currency_id: String(random.pick([1, 2, 3])),
      from_field: from,
      to_field: to,
      number: random.chance(0.1) ? '1000000' : (random.next() * 3 + 0.00000001).toFixed(8),
    };
  }

  /** Prices lie close together, so that orders meet; amounts have many decimals, so that rounding matters. */
  private order(): Fields {
    const { random } = this.simulator;
    const market = random.pick(this.world.markets());
    const first = toUnits(FIRST_PRICES[market.symbol] ?? '1', market.priceScale);
    const near = (spread: number): string =>
      formatUnits(
        first + BigInt(Math.round((random.next() * 2 - 1) * spread)) * (first / 2_000n || 1n),
        market.priceScale,
      );
    const amount = formatUnits(
      BigInt(1 + random.int(market.symbol === 'BTC/USDT' ? 300_000 : 50_000)),
      market.numberScale,
    );
    const base: Record<string, string> = {
      legal_id: String(market.quoteId),
      currency_id: String(market.baseId),
      type: random.chance(0.5) ? '1' : '2',
      amount,
    };
    if (random.chance(0.4)) base['client_order_id'] = `k${(this.serial += 1)}`;
    if (random.chance(0.3)) base['stp'] = random.pick(['cancel_newest', 'cancel_oldest', 'cancel_both']);
    const dice = random.next();
    if (dice < 0.18) return { ...base, order_type: 'market', ...(random.chance(0.2) ? { time_in_force: 'FOK' } : {}) };
    if (dice < 0.32) {
      const stop = near(8);
      return random.chance(0.5)
        ? { ...base, order_type: 'stop_market', stop_price: stop }
        : { ...base, order_type: 'stop_limit', stop_price: stop, target_price: near(8) };
    }
    if (dice < 0.4) return { ...base, target_price: near(4), post_only: '1' };
    return {
      ...base,
      target_price: near(4),
      ...(random.chance(0.25) ? { time_in_force: random.pick(['IOC', 'FOK']) } : {}),
    };
  }

  private async intend(user: number, kind: Kind, fields: Fields): Promise<void> {
    const intent: Intent = {
      commandId: `c${(this.serial += 1)}`,
      user,
      kind,
      fields,
      bodyHash: JSON.stringify(fields),
      validUntil: 0,
      lastAttemptAt: 0,
      outcomes: [],
      resolved: undefined,
    };
    this.intents.push(intent);
    const { random } = this.simulator;
    for (let tries = 0; tries < 4; tries++) {
      const told = await this.attempt(intent);
      if (told.kind === 'ok' || told.kind === 'refused') return;
      if (random.chance(0.4)) return; // gives up, and asks when everything is over
      await this.pause(random.between(10, 1_500));
    }
  }

  private async attempt(intent: Intent): Promise<CallOutcome> {
    const told = await this.perform(intent, intent.bodyHash, intent.fields);
    intent.outcomes.push(told);
    intent.lastAttemptAt = this.simulator.now;
    if (told.kind === 'ok') this.mustBeDurable(intent);
    if (told.kind === 'ok' && intent.kind === 'order')
      this.known.set(intent.user, [...(this.known.get(intent.user) ?? []), told.id]);
    this.simulator.note(
      `${intent.commandId} of ${intent.user} ${intent.kind} is told ${told.kind} ` +
        `${told.kind === 'ok' ? told.id : told.kind === 'refused' ? told.key : ''}`,
    );
    return told;
  }

  /** `ok` means durable: whoever is told so finds it done. */
  private mustBeDurable({ commandId, kind, fields }: Intent): void {
    const { server } = this.world;
    const done =
      kind === 'cancel'
        ? server.row<{ status: number }>('spot.orders', fields['id'] ?? '')?.status === 2
        : server.row<{ answer: { type: string } }>('ledger.command', commandId)?.answer.type === 'ok';
    if (!done) this.problems.push(`I6 ${kind} ${commandId} was told ok and is not durable`);
  }

  /** The same key for something else: it must never do anything once the first has its answer. */
  private async otherBody(intent: Intent): Promise<void> {
    const final = intent.outcomes.find(({ kind }) => kind === 'ok' || kind === 'refused');
    if (!final || intent.kind === 'cancel') return;
    const told = await this.perform(intent, 'another body', intent.kind === 'order' ? this.order() : this.transfer());
    if (told.kind === 'ok')
      this.problems.push(`I6 ${intent.commandId} was final (${final.kind}) and was accepted again with another body`);
    if (told.kind === 'refused' && final.kind === 'ok' && told.key !== 'common.keyReused')
      this.problems.push(`I6 ${intent.commandId} with another body was refused as ${told.key}`);
  }

  private perform(intent: Intent, bodyHash: string, fields: Fields): Promise<CallOutcome> {
    const { user, kind, commandId } = intent;
    return this.call(
      (parts) => (kind === 'transfer' ? parts.transfer : parts.place) !== undefined,
      (parts) => {
        const context = { commandId, hasKey: true, bodyHash, validUntil: parts.clock.real() + 4_000 } as CallContext;
        intent.validUntil = Math.max(intent.validUntil, context.validUntil);
        if (kind === 'transfer') return parts.transfer!.execute(user, readFields(TransferBody, fields), context);
        return kind === 'order'
          ? parts.place!.execute(user, readFields(PlaceOrderBody, fields), context)
          : parts.cancel!.one(user, readFields(CancelOrderBody, fields), context);
      },
    );
  }

  /** A call over the network, as a client sees it: an answer, an error, or silence. */
  private call(
    where: (parts: Dependencies) => boolean,
    work: (parts: Dependencies) => Promise<Notice>,
  ): Promise<CallOutcome> {
    const { simulator, world } = this;
    const lost = (): boolean => !world.conditions.healed && simulator.random.chance(world.plan.chances.lostCall);
    return new Promise((resolve) => {
      simulator.schedule(this.process, PATIENCE_MS, 'out of patience', () => resolve({ kind: 'unknown' }));
      if (lost()) return;
      simulator.after(0.2 + simulator.random.next() * 3, 'call', () => {
        const targets = world.living(where);
        if (targets.length === 0) {
          simulator.schedule(this.process, 1, 'connection refused', () => resolve({ kind: 'nothing' }));
          return;
        }
        const parts = simulator.random.pick(targets);
        simulator.schedule(parts.process, 0, 'call arrives', () => {
          const back = (told: CallOutcome): void => {
            if (!lost())
              simulator.schedule(this.process, 0.2 + simulator.random.next() * 3, 'answer arrives', () =>
                resolve(told),
              );
          };
          work(parts).then(
            ({ extra }) =>
              back({
                kind: 'ok',
                id: typeof extra['id'] === 'string' ? extra['id'] : '',
                ...(extra['order'] ? { order: extra['order'] as SpotOrder } : {}),
              }),
            (error: unknown) => back(outcomeOf(error)),
          );
        });
      });
    });
  }

  private open({ outcomes }: Intent): boolean {
    return !outcomes.some(({ kind }) => kind === 'ok' || kind === 'refused');
  }

  private async resolve(intent: Intent): Promise<void> {
    for (;;) {
      const reply = await this.ask(intent.commandId);
      if (reply) {
        intent.resolved = reply;
        return;
      }
      // Not found is final once nothing of it can be on its way any more.
      if (reply === null && this.simulator.now - intent.lastAttemptAt >= FORGET_MS) {
        intent.resolved = null;
        return;
      }
      await this.pause(
        reply === null ? Math.max(200, Math.min(5_000, FORGET_MS - (this.simulator.now - intent.lastAttemptAt))) : 500,
      );
    }
  }

  private ask(commandId: string): Promise<LedgerReply | null | undefined> {
    const { simulator, world } = this;
    return new Promise<LedgerReply | null | undefined>((resolve) => {
      simulator.schedule(this.process, PATIENCE_MS, 'no answer', () => resolve(undefined));
      const [parts] = world.living((one) => one.stored !== undefined);
      if (!parts?.stored) return;
      simulator.schedule(parts.process, 1, 'outcome asked', () => {
        parts.stored!(commandId).then(
          (reply) => {
            simulator.schedule(this.process, 1, 'outcome told', () => resolve(reply));
          },
          () => {
            simulator.schedule(this.process, 1, 'outcome open', () => resolve(undefined));
          },
        );
      });
    });
  }
}

/**
 * As the edge answers (platform's refusal filter): what needs somebody who is down has done nothing; everything
 * unforeseen is unknown.
 */
function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof Refused) {
    const { type = 'error' } = error.options;
    if (type === 'pending' || error.key === 'common.processing') return { kind: 'unknown' };
    return error.key === 'market.paused' || error.key === 'common.unavailable'
      ? { kind: 'nothing' }
      : { kind: 'refused', key: error.key };
  }
  return error instanceof Unavailable || isConnectionRefused(error) ? { kind: 'nothing' } : { kind: 'unknown' };
}

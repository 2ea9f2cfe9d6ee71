import { ledgerPartition, orderHold, resultsTopic, TOPICS, type LedgerReply, type Message } from '@bourse/events';
import { toUnits } from '@bourse/money';
import { chainHash, type OutboxRow, type SagaRow, type StreamHead } from '@bourse/persistence';
import {
  baseOf,
  BUY,
  feeOf,
  isMarket,
  LadderBook,
  MarketEngine,
  PlainBook,
  quoteOf,
  replayBook,
  isWaiting,
  type ListedMarket,
  type LoggedCommand,
  type MarketRow,
} from '@bourse/spot-matching/simulation';
import {
  hashOf,
  mayGoNegative,
  type AccountState,
  type HoldState,
  type PackedEntry,
} from '@bourse/wallet-ledger/simulation';
import type { JournalRow } from '@bourse/wallet-ledger/simulation';
import { HOUSE_PURSE, PURSE, type Clients } from './clients.js';
import type { StoredCommand } from './ledger-store.js';
import type { StoredOrder, StoredTrade } from './spot-store.js';
import { PRODUCTS } from './products.generated.js';
import type { StoredFiring, StoredPush, World } from './world.js';

/** What is wrong, each with the invariant it breaks (docs/proofs/simulation.md). */
export type Problem = string;

const EXECUTED_LATE_MS_MAX = 10_000;

/**
 * Looks at each commit as it happens: the sum of all money never changes, nothing is overdrawn, nothing takes effect
 * long after its limit.
 */
export class Watch {
  readonly problems: Problem[] = [];
  private readonly sums = new Map<number, bigint>();
  private readonly balances = new Map<string, bigint>();

  constructor(
    private readonly now: () => number,
    private readonly limitOf: (commandId: string) => number | undefined,
  ) {}

  commit(writes: ReadonlyMap<string, object | null>): void {
    const touched = new Set<number>();
    for (const [name, row] of writes) {
      const tab = name.indexOf('\n');
      const table = name.slice(0, tab);
      if (table === 'ledger.balance' && row) {
        const { owner, account, currency, available, held } = row as AccountState;
        const before = this.balances.get(name) ?? 0n;
        this.balances.set(name, available + held);
        this.sums.set(currency, (this.sums.get(currency) ?? 0n) + available + held - before);
        touched.add(currency);
        if (held < 0n || (available < 0n && !(owner < 0 && mayGoNegative(account, currency))))
          this.problems.push(`I2 ${owner}.${account}.${currency} has ${available} available and ${held} held`);
      } else if (table === 'ledger.command' && row) {
        const { id, answer } = row as StoredCommand;
        const limit = this.limitOf(id);
        if (name.endsWith('\tagain')) this.problems.push(`I6 command ${id} was decided twice`);
        if (
          limit !== undefined &&
          answer.type === 'ok' &&
          answer.extra?.['repeated'] !== 1 &&
          this.now() > limit + EXECUTED_LATE_MS_MAX
        )
          this.problems.push(`I6 command ${id} took effect ${Math.round(this.now() - limit)} ms after its limit`);
      }
    }
    for (const currency of touched)
      if (this.sums.get(currency) !== 0n)
        this.problems.push(`I1 currency ${currency} sums to ${this.sums.get(currency)} after a commit`);
  }
}

/** Everything the world must be once it is quiet. */
export function checkAll(world: World, clients: Clients): Problem[] {
  return [
    ...clients.problems,
    ...money(world),
    ...journals(world),
    ...books(world),
    ...trades(world),
    ...expectedMoney(world, clients),
    ...housePurses(world),
    ...streams(world),
    ...pushes(world),
    ...deadlines(world, clients),
    ...products(world, clients),
    ...intents(world, clients),
    ...[...world.raisedAlarms()]
      .filter(([name]) => !name.startsWith('consumer:'))
      .map(([name, detail]) => `I9 alarm ${name}: ${detail}`),
    ...world.errors
      .filter((text) => /invariant|fatal/.test(text))
      .map((text) => `error in the log: ${text.slice(0, 300)}`),
  ];
}

const accountOf = ({ owner, account, currency }: { owner: number; account: string; currency: number }): string =>
  `${owner}.${account}.${currency}`;

/** I1, I2, I3: sums, overdrafts, and holds against what open orders still need. */
function money({ server }: World): Problem[] {
  const problems: Problem[] = [];
  const sums = new Map<number, bigint>();
  const heldBy = new Map<string, bigint>();
  const holds = server.rows<HoldState>('ledger.hold');
  for (const row of holds) heldBy.set(accountOf(row), (heldBy.get(accountOf(row)) ?? 0n) + row.remaining);
  const clearing = new Map<number, bigint>();
  for (const row of server.rows<AccountState>('ledger.balance')) {
    sums.set(row.currency, (sums.get(row.currency) ?? 0n) + row.available + row.held);
    if (row.account === 'h.clearing') clearing.set(row.currency, (clearing.get(row.currency) ?? 0n) + row.available);
    if (row.held !== (heldBy.get(accountOf(row)) ?? 0n))
      problems.push(`I3 ${accountOf(row)} holds ${row.held}, its holds keep ${heldBy.get(accountOf(row)) ?? 0n}`);
    heldBy.delete(accountOf(row));
  }
  for (const [currency, sum] of sums) if (sum !== 0n) problems.push(`I1 currency ${currency} sums to ${sum}`);
  for (const [currency, sum] of clearing)
    if (sum !== 0n) problems.push(`I4 clearing of currency ${currency} has ${sum} when all is quiet`);
  for (const account of heldBy.keys()) problems.push(`I3 a hold has no account ${account}`);
  const needed = new Map<string, bigint>();
  for (const order of server.rows<StoredOrder>('spot.orders'))
    if (order.status === 1 && order.holdLeft > 0n) needed.set(orderHold(order.id), order.holdLeft);
  for (const product of PRODUCTS) for (const [hold, amount] of product.holds(server)) needed.set(hold, amount);
  for (const { hold, remaining } of holds) {
    if (needed.get(hold) !== remaining)
      problems.push(`I3 hold ${hold} keeps ${remaining}, its order needs ${needed.get(hold) ?? 'nothing'}`);
    needed.delete(hold);
  }
  for (const [hold, amount] of needed) problems.push(`I3 order behind ${hold} needs ${amount} and holds nothing`);
  return problems;
}

/** I4: numbered, chained, balanced, and summing to the balances; no journal twice. */
function journals({ server, currencies, plan }: World): Problem[] {
  const problems: Problem[] = [];
  const rows = [...server.rows<JournalRow>('ledger.journal')].sort(
    (a, b) => a.partition - b.partition || a.number - b.number || a.part - b.part,
  );
  const lines = new Map<string, { sequence: number; balance: bigint }>();
  const seen = new Map<string, string>();
  for (let partition = 0; partition < plan.ledgerPartitions; partition++) {
    let before = { number: 0, part: -1, hash: '' };
    let sums = new Map<number, bigint>();
    for (const row of rows.filter((one) => one.partition === partition)) {
      const where = `journal ${row.number}.${row.part} of partition ${partition} (${row.id})`;
      const follows =
        row.number === before.number
          ? row.part === before.part + 1
          : row.number === before.number + 1 && row.part === 0;
      if (!follows) problems.push(`I4 ${where} follows ${before.number}.${before.part}`);
      if (row.number !== before.number) {
        for (const [currency, sum] of sums)
          if (sum !== 0n)
            problems.push(
              `I4 journal ${before.number} of partition ${partition} sums to ${sum} in currency ${currency}`,
            );
        sums = new Map();
        const known = seen.get(row.id);
        if (known !== undefined) problems.push(`I5 journal ${row.id} was posted twice: ${known} and ${where}`);
        seen.set(row.id, where);
      }
      if (row.previousHash !== before.hash || hashOf(row.previousHash, row) !== row.hash)
        problems.push(`I4 ${where} is not chained to the one before it`);
      before = { number: row.number, part: row.part, hash: row.hash };
      for (const [account, currency, state, amount, after, sequence] of JSON.parse(row.entries) as PackedEntry[]) {
        const scale = currencies.scaleOf(currency) ?? 0;
        const key = `${row.owner}.${account}.${currency}${state}`;
        const last = lines.get(key) ?? { sequence: 0, balance: 0n };
        const units = signed(amount, scale);
        const balance = last.balance + units;
        sums.set(currency, (sums.get(currency) ?? 0n) + units);
        if (sequence !== last.sequence + 1) problems.push(`I4 ${key} has line ${sequence} after ${last.sequence}`);
        if (signed(after, scale) !== balance)
          problems.push(`I4 ${key} has ${after} after line ${sequence}, its lines make ${balance}`);
        lines.set(key, { sequence, balance });
      }
    }
    for (const [currency, sum] of sums)
      if (sum !== 0n)
        problems.push(`I4 the last journal of partition ${partition} sums to ${sum} in currency ${currency}`);
  }
  for (const row of server.rows<AccountState>('ledger.balance')) {
    const [available, held] = [lines.get(`${accountOf(row)}a`), lines.get(`${accountOf(row)}h`)];
    if (
      (available?.balance ?? 0n) !== row.available ||
      (available?.sequence ?? 0) !== row.availableSequence ||
      (held?.balance ?? 0n) !== row.held ||
      (held?.sequence ?? 0) !== row.heldSequence
    )
      problems.push(`I4 ${accountOf(row)} is not the sum of its lines`);
  }
  return problems;
}
const signed = (text: string, scale: number): bigint =>
  text.startsWith('-') ? -toUnits(text.slice(1), scale) : toUnits(text, scale);

/** I7: the running book, the one of the open rows and the one of all commands from the first on are the same. */
function books(world: World): Problem[] {
  const { server } = world;
  const problems: Problem[] = [];
  const orders = server.rows<StoredOrder>('spot.orders');
  const marks = new Map(orders.map((order) => [order.id, order]));
  for (const market of world.markets()) {
    const row = server.row<MarketRow>('spot.market', market.symbol);
    const state = {
      sequence: row?.sequence ?? 0,
      tradeSequence: row?.tradeSequence ?? 0,
      lastPrice: 0,
      mode: 'normal' as const,
      at: 0,
    };
    const open = orders
      .filter((order) => order.symbol === market.symbol && order.status === 1)
      .sort((a, b) => a.sequence - b.sequence);
    const [fast, plain] = [
      new MarketEngine(market, new LadderBook(), state),
      new MarketEngine(market, new PlainBook(), state),
    ];
    try {
      fast.restore(open.map((order) => ({ ...order })));
      plain.restore(open.map((order) => ({ ...order })));
    } catch (error) {
      problems.push(`I7 ${market.symbol}: ${(error as Error).message}`);
      continue;
    }
    if (row && fast.hash() !== row.hash)
      problems.push(`I7 the open orders of ${market.symbol} make ${fast.hash()}, stored is ${row.hash}`);
    if (fast.bookHash() !== plain.bookHash()) problems.push(`I7 the two kinds of book differ on ${market.symbol}`);
    const live = world
      .living((parts) => (parts.books?.engine(market.symbol) ?? null) !== null)
      .map((parts) => parts.books?.engine(market.symbol));
    if (
      live.length > 0 &&
      !live.some(
        (engine) =>
          engine?.hash() === fast.hash() && engine.bookHash() === fast.bookHash() && engine.open.size === open.length,
      )
    )
      problems.push(`I7 no running book of ${market.symbol} is the one of its open orders`);
    if (row) problems.push(...replayed(world, market, row, marks, fast.bookHash()));
  }
  return problems;
}

function replayed(
  world: World,
  market: ListedMarket,
  row: MarketRow,
  marks: ReadonlyMap<string, StoredOrder>,
  bookHash: string,
): Problem[] {
  const ofMarket = new Map([...marks].filter(([, order]) => order.symbol === market.symbol));
  const result = replayBook(market, () => new PlainBook(), consumed(world, market.partition), ofMarket, row);
  if (result.stuck !== null)
    return [`I7 the commands of ${market.symbol} stop at ${result.sequence} of ${row.sequence}: ${result.stuck}`];
  const early = fromCheckpoint(world, market, row, ofMarket);
  if (early !== null) return [early];
  const wrong = result.hash !== row.hash || result.bookHash !== bookHash || result.tradeSequence !== row.tradeSequence;
  return wrong
    ? [
        `I7 the commands of ${market.symbol} make ${result.hash} with ` +
          `${result.tradeSequence} trades, stored is ${row.hash} with ${row.tradeSequence}`,
      ]
    : [];
}

/** The same once more from a checkpoint: older days of the log may be gone. */
function fromCheckpoint(
  world: World,
  market: ListedMarket,
  row: MarketRow,
  orders: ReadonlyMap<string, StoredOrder>,
): Problem | null {
  const taken = world.checkpoints.get(market.symbol);
  if (!taken) return null;
  const log = consumed(world, market.partition).filter(
    ({ stream, number }) => number > (taken.positions.get(stream) ?? 0),
  );
  const result = replayBook(market, () => new LadderBook(), log, orders, row, taken.checkpoint);
  return result.stuck === null && result.hash === row.hash && result.tradeSequence === row.tradeSequence
    ? null
    : `I7 ${market.symbol} from sequence ${taken.checkpoint.state.sequence} on makes ${result.hash} at ` +
        `${result.sequence} with ${result.tradeSequence} trades (${result.stuck ?? 'at the end'}), stored ` +
        `is ${row.hash} at ${row.sequence} with ${row.tradeSequence}`;
}

/** The commands that the books of a partition have consumed, stream by stream. */
function consumed({ server }: World, partition: number): LoggedCommand[] {
  const commands: LoggedCommand[] = [];
  for (const { stream, number } of server.rows<{ stream: string; number: number }>('spot.position')) {
    if (!stream.endsWith(`>${TOPICS.spotCommands}/${partition}`)) continue;
    for (let at = 1; at <= number; at++) {
      const row = server.row<OutboxRow>('ledger.outbox', `${stream}#${at}`);
      for (const message of JSON.parse(row?.payload ?? '[]') as Message[])
        commands.push({ stream, number: at, message });
    }
  }
  return commands;
}

/** I5: numbers without gaps, fair prices, fills within amounts, exact money, each settled once. */
function trades(world: World): Problem[] {
  const { server } = world;
  const problems: Problem[] = [];
  const orders = new Map(server.rows<StoredOrder>('spot.orders').map((order) => [order.id, order]));
  const ids = new Map<string, number>();
  for (const { id, part } of server.rows<JournalRow>('ledger.journal'))
    if (part === 0) ids.set(id, (ids.get(id) ?? 0) + 1);
  const filled = new Map<string, { lots: number; quote: bigint; fee: bigint; used: bigint }>();
  for (const market of world.markets()) {
    const rows = [...server.rows<StoredTrade>('spot.trades')]
      .filter((row) => row.symbol === market.symbol)
      .sort((a, b) => a.sequence - b.sequence);
    for (const [index, trade] of rows.entries()) {
      const where = `trade ${trade.symbol} ${trade.sequence}`;
      if (trade.sequence !== index + 1) problems.push(`I5 ${where} is number ${index + 1}`);
      const [buyer, seller] = [orders.get(trade.buyOrderId), orders.get(trade.sellOrderId)];
      if (!buyer || !seller || buyer.userId !== trade.buyerId || seller.userId !== trade.sellerId) {
        problems.push(`I5 ${where} has no orders of its people`);
        continue;
      }
      if (buyer.userId === seller.userId) problems.push(`I5 ${where} is of one person with themselves`);
      if (buyer.type !== 'stop_market' && trade.price > buyer.price)
        problems.push(`I5 ${where} at ${trade.price} is above the buyer's ${buyer.price}`);
      if (seller.type !== 'stop_market' && trade.price < seller.price)
        problems.push(`I5 ${where} at ${trade.price} is below the seller's ${seller.price}`);
      const quote =
        (BigInt(trade.price) * BigInt(trade.quantity) * 10n ** BigInt(market.quoteScale)) /
        10n ** BigInt(market.priceScale + market.numberScale);
      if (quote !== trade.quote || quote !== quoteOf(market, trade.price, trade.quantity, 'down'))
        problems.push(`I5 ${where} moves ${trade.quote}, it is worth ${quote}`);
      const base = baseOf(market, trade.quantity);
      const takerBuys = trade.takerSide === BUY;
      if (trade.buyerFee !== feeOf(base, takerBuys ? buyer.takerFee : buyer.makerFee) || trade.buyerFee * 1_000n < base)
        problems.push(`I5 ${where} takes ${trade.buyerFee} of the buyer`);
      if (
        trade.sellerFee !== feeOf(quote, takerBuys ? seller.makerFee : seller.takerFee) ||
        trade.sellerFee * 1_000n < quote
      )
        problems.push(`I5 ${where} takes ${trade.sellerFee} of the seller`);
      for (const [order, fee, used] of [
        [
          buyer,
          trade.buyerFee,
          isMarket(buyer) ? quote : quote + quoteOf(market, buyer.price - trade.price, trade.quantity, 'down'),
        ],
        [seller, trade.sellerFee, base],
      ] as const) {
        const sum = filled.get(order.id) ?? { lots: 0, quote: 0n, fee: 0n, used: 0n };
        filled.set(order.id, {
          lots: sum.lots + trade.quantity,
          quote: sum.quote + quote,
          fee: sum.fee + fee,
          used: sum.used + used,
        });
      }
      const id = `trade:${trade.symbol}:${trade.sequence}`;
      const together =
        ledgerPartition(buyer.userId, world.plan.ledgerPartitions) ===
        ledgerPartition(seller.userId, world.plan.ledgerPartitions);
      for (const [name, times] of together
        ? ([
            [id, 1],
            [`${id}:buy`, 0],
            [`${id}:sell`, 0],
          ] as const)
        : ([
            [id, 0],
            [`${id}:buy`, 1],
            [`${id}:sell`, 1],
          ] as const)) {
        if ((ids.get(name) ?? 0) !== times)
          problems.push(`I5 ${name} was settled ${ids.get(name) ?? 0} times instead of ${times}`);
      }
    }
    const counted = server.row<MarketRow>('spot.market', market.symbol)?.tradeSequence ?? 0;
    if (rows.length !== counted)
      problems.push(`I5 ${market.symbol} counts ${counted} trades and stores ${rows.length}`);
  }
  for (const order of orders.values()) {
    const sum = filled.get(order.id) ?? { lots: 0, quote: 0n, fee: 0n, used: 0n };
    if (
      sum.lots !== order.filled ||
      sum.quote !== order.quoteFilled ||
      sum.fee !== order.fee ||
      order.filled > order.quantity
    )
      problems.push(`I5 order ${order.id} is filled ${order.filled} of ${order.quantity}, its trades make ${sum.lots}`);
    if (order.held - sum.used !== order.holdLeft)
      problems.push(`I3 order ${order.id} held ${order.held}, used ${sum.used} and has ${order.holdLeft} left`);
    if ((ids.get(`order:${order.id}:hold`) ?? 0) !== 1)
      problems.push(`I6 order ${order.id} was held ${ids.get(`order:${order.id}:hold`) ?? 0} times`);
    const releases = ids.get(`order:${order.id}:release`) ?? 0;
    if (releases !== (order.status === 2 && order.holdLeft > 0n ? 1 : 0))
      problems.push(
        `I3 order ${order.id} (status ${order.status}, ${order.holdLeft} left) was released ${releases} times`,
      );
    if (order.timeInForce === 2 && order.filled > 0 && order.filled < order.quantity)
      problems.push(`I5 fill-or-kill order ${order.id} is filled ${order.filled} of ${order.quantity}`);
    if (order.status === 1 && !isWaiting(order) && (order.timeInForce !== 0 || isMarket(order)))
      problems.push(`I8 order ${order.id} may not rest and does`);
    if (
      order.postOnly &&
      server
        .rows<StoredTrade>('spot.trades')
        .some((trade) => (trade.takerSide === BUY ? trade.buyOrderId : trade.sellOrderId) === order.id)
    )
      problems.push(`I5 post-only order ${order.id} has taken`);
  }
  return problems;
}

/** I1: what everybody must have, counted from what they began with and their trades alone. */
function expectedMoney(world: World, clients: Clients): Problem[] {
  const { server, currencies } = world;
  const want = new Map<string, bigint>();
  const add = (whose: number | 'fees', currency: number, units: bigint): void => {
    want.set(`${whose}.${currency}`, (want.get(`${whose}.${currency}`) ?? 0n) + units);
  };
  for (const user of clients.users)
    for (const [currency, amount] of Object.entries(PURSE))
      add(user, Number(currency), toUnits(amount, currencies.scaleOf(Number(currency)) ?? 0));
  const markets = new Map(world.markets().map((market) => [market.symbol, market]));
  for (const trade of server.rows<StoredTrade>('spot.trades')) {
    const market = markets.get(trade.symbol);
    if (!market) continue;
    const base = baseOf(market, trade.quantity);
    add(trade.buyerId, market.quoteId, -trade.quote);
    add(trade.buyerId, market.baseId, base - trade.buyerFee);
    add(trade.sellerId, market.baseId, -base);
    add(trade.sellerId, market.quoteId, trade.quote - trade.sellerFee);
    add('fees', market.baseId, trade.buyerFee);
    add('fees', market.quoteId, trade.sellerFee);
  }
  const have = new Map<string, bigint>();
  for (const row of server.rows<AccountState>('ledger.balance')) {
    const key =
      row.owner > 0 ? `${row.owner}.${row.currency}` : row.account === 'h.fees' ? `fees.${row.currency}` : null;
    if (key !== null) have.set(key, (have.get(key) ?? 0n) + row.available + row.held);
  }
  return [...new Set([...want.keys(), ...have.keys()])]
    .filter((key) => (want.get(key) ?? 0n) !== (have.get(key) ?? 0n))
    .map((key) => `I1 ${key} has ${have.get(key) ?? 0n} instead of ${want.get(key) ?? 0n}`);
}

/**
 * I1: what the house has for a product stays the same, and no partition's purse has less than half of an equal share.
 */
export function housePurses({ server, currencies, plan }: World): Problem[] {
  const { account, currency, amount } = HOUSE_PURSE;
  const whole = toUnits(amount, currencies.scaleOf(currency) ?? 0);
  const purses = Array.from(
    { length: plan.ledgerPartitions },
    (_, partition) =>
      server
        .rows<AccountState>('ledger.balance')
        .find((row) => row.owner === -1 - partition && row.account === account && row.currency === currency)
        ?.available ?? 0n,
  );
  const sum = purses.reduce((all, units) => all + units, 0n);
  const problems = sum === whole ? [] : [`I1 the house has ${sum} of ${whole} in ${account}`];
  for (const [partition, units] of purses.entries())
    if (units * 2n < whole / BigInt(plan.ledgerPartitions))
      problems.push(`I1 ${account} of partition ${partition} has ${units} of ${whole}: its purse was not evened out`);
  return problems;
}

/** I9: every stream whole, chained and read to its end, no position beyond it. */
function streams({ server, plan }: World): Problem[] {
  const problems: Problem[] = [];
  for (const schema of SCHEMAS) {
    const rows = server.rows<OutboxRow>(`${schema}.outbox`);
    for (const name of new Set(rows.map((row) => row.stream))) {
      const ofStream = rows.filter((row) => row.stream === name).sort((a, b) => a.number - b.number);
      let hash = '';
      for (const [index, row] of ofStream.entries()) {
        if (row.number !== index + 1 || row.previousHash !== hash || chainHash(hash, row.payload) !== row.hash)
          problems.push(`I9 ${name} #${row.number} does not follow #${index}`);
        hash = row.hash;
      }
    }
  }
  problems.push(...unread({ server, plan }));
  for (const { consumer, stream } of server.rows<{ consumer: string; stream: string }>('gateway.dead_letter'))
    problems.push(`I9 ${consumer} gave up a message of ${stream}`);
  return problems;
}

const READERS = [
  ['ledger', TOPICS.ledgerCommands],
  ['spot', TOPICS.spotCommands],
  ['gateway', TOPICS.userEvents],
  ...PRODUCTS.map(({ service, schema }) => [schema, resultsTopic(service)] as const),
] as const;
/** Schemas that send. */
const SCHEMAS = ['ledger', 'spot', 'gateway', ...PRODUCTS.map(({ schema }) => schema)];

/** Streams that have not been read to their end. */
export function unread({ server }: Pick<World, 'server' | 'plan'>): Problem[] {
  const problems: Problem[] = [];
  for (const [reader, topic] of READERS) {
    const positions = new Map(
      server
        .rows<{ stream: string; number: number; hash: string }>(`${reader}.position`)
        .map((row) => [row.stream, row]),
    );
    for (const sender of SCHEMAS) {
      for (const [name, head] of server.entries<StreamHead>(`${sender}.stream`)) {
        if (!name.includes(`>${topic}/`)) continue;
        const position = positions.get(name);
        if ((position?.number ?? 0) !== head.next - 1)
          problems.push(`I9 ${reader} has read ${name} up to ${position?.number ?? 0} of ${head.next - 1}`);
        else if (position && position.hash !== head.hash)
          problems.push(`I9 ${reader} stands at another ${name} #${position.number}`);
      }
    }
  }
  return problems;
}

/** I3, I6: what each product says is wrong; no saga stays under way, and every call has its final answer. */
function products({ server }: World, clients: Clients): Problem[] {
  const problems: Problem[] = [];
  for (const { service, schema, check } of PRODUCTS) {
    problems.push(...check({ server, calls: clients.calls.get(service) ?? [] }).map((text) => `${text} (${service})`));
    for (const { name, object } of server.rows<SagaRow>(`${schema}.saga`))
      problems.push(`I3 saga ${name} ${object} of ${service} is under way when all is quiet`);
    for (const [key, answer] of server.entries<{ state: string }>(`${schema}.answers`))
      if (answer.state === 'open') problems.push(`I6 the call ${key} has no final answer when all is quiet`);
  }
  return problems;
}

/** Deadlines: each set one fires once and as of its own time, none that was taken back does. */
function deadlines({ server }: World, clients: Clients): Problem[] {
  const problems: Problem[] = [];
  for (const [id, { dueAt, set, taken }] of clients.deadlines) {
    const fired = server.row<StoredFiring>('gateway.fired', id);
    if ((fired?.times ?? 0) > 1) problems.push(`timers: ${id} has fired ${fired?.times} times`);
    if (fired && fired.dueAt !== dueAt) problems.push(`timers: ${id} fired as of ${fired.dueAt} instead of ${dueAt}`);
    if (taken === true && fired) problems.push(`timers: ${id} was taken back and has fired`);
    if (set && taken !== true && taken !== 'unknown' && !fired) problems.push(`timers: ${id} never fired`);
  }
  return problems;
}

/** I10: every private event once, and per user and sender in the order of the commits. */
function pushes({ server }: World): Problem[] {
  const problems: Problem[] = [];
  const got = new Map<number, string[]>();
  for (const push of [...server.rows<StoredPush>('gateway.push')].sort((a, b) => a.number - b.number))
    got.set(push.userId, [...(got.get(push.userId) ?? []), push.text]);
  const sent = new Map<number, Map<string, string[]>>();
  for (const schema of SCHEMAS) {
    for (const row of [...server.rows<OutboxRow>(`${schema}.outbox`)]
      .filter(({ topic }) => topic === TOPICS.userEvents)
      .sort((a, b) => a.number - b.number)) {
      for (const { body } of JSON.parse(row.payload) as Message<{ userId: number }>[]) {
        const streamsOf = sent.get(body.userId) ?? new Map<string, string[]>();
        sent.set(body.userId, streamsOf);
        streamsOf.set(row.stream, [...(streamsOf.get(row.stream) ?? []), JSON.stringify(body)]);
      }
    }
  }
  for (const [user, streamsOf] of sent) {
    const heard = got.get(user) ?? [];
    const total = [...streamsOf.values()].reduce((sum, list) => sum + list.length, 0);
    if (heard.length !== total) problems.push(`I10 user ${user} got ${heard.length} pushes of ${total}`);
    for (const [stream, list] of streamsOf) {
      let at = 0;
      for (const text of heard) if (text === list[at]) at += 1;
      if (at !== list.length)
        problems.push(`I10 pushes of ${stream} reached user ${user} out of order after ${at} of ${list.length}`);
    }
  }
  return problems;
}

const idOf = ({ answer }: LedgerReply): string => (typeof answer.extra?.['id'] === 'string' ? answer.extra['id'] : '');

/** I6: what each client was told is what has happened; no effect without its intent, none twice. */
function intents({ server }: World, clients: Clients): Problem[] {
  const problems: Problem[] = [];
  const orders = new Map(server.rows<StoredOrder>('spot.orders').map((order) => [order.id, order]));
  const effects = new Map<string, number>();
  for (const { id, part, causeType, causeId } of server.rows<JournalRow>('ledger.journal')) {
    if (part !== 0) continue;
    if (causeType === 'transfer') effects.set(`transfer ${causeId}`, (effects.get(`transfer ${causeId}`) ?? 0) + 1);
    else if (id.endsWith(':hold')) effects.set(`order ${causeId}`, (effects.get(`order ${causeId}`) ?? 0) + 1);
  }
  const claimed = new Set<string>();
  const cancelled = new Set<string>();
  const byClientId = new Map<string, string>();
  for (const intent of clients.intents) {
    const { commandId, kind, outcomes, resolved } = intent;
    const finals = outcomes.filter((one) => one.kind === 'ok' || one.kind === 'refused');
    const texts = new Set(finals.map((one) => (one.kind === 'ok' ? `ok ${one.id}` : `refused ${one.key}`)));
    if (texts.size > 1) problems.push(`I6 ${commandId} was told ${[...texts].join(' and ')}`);
    const ok = finals.find((one) => one.kind === 'ok');
    const id = ok?.id ?? (resolved?.ok ? idOf(resolved) : null);
    if (finals.length === 0 && resolved === undefined)
      problems.push(`I6 the outcome of ${commandId} never became known`);
    if (outcomes.length > 0 && outcomes.every((one) => one.kind === 'nothing') && resolved?.ok)
      problems.push(`I6 ${commandId} was unavailable each time and has happened`);
    if (kind === 'cancel') {
      if (id === null) continue;
      cancelled.add(intent.fields['id'] ?? '');
      const order = orders.get(intent.fields['id'] ?? '');
      if (order?.status !== 2 || order.reason !== 'user')
        problems.push(`I6 cancel ${commandId} was ok and its order is ${order?.status} ${order?.reason}`);
      continue;
    }
    if (id === null) continue;
    const effect = `${kind} ${id}`;
    if (effects.get(effect) !== 1)
      problems.push(`I6 ${commandId} was ok and has ${effects.get(effect) ?? 0} effects (${effect})`);
    if (kind === 'order') {
      const order = orders.get(id);
      if (!order) problems.push(`I6 order ${id} of ${commandId} was accepted and never reached its book`);
      // A second intent under the same client order id is given the first one's answer, and has no order of its own.
      const coid = intent.fields['client_order_id'];
      const first = coid === undefined ? undefined : byClientId.get(`${intent.user} ${coid}`);
      if (first !== undefined && first !== id)
        problems.push(`I6 client order id ${coid} of ${intent.user} has two orders`);
      if (claimed.has(effect) && first === undefined) problems.push(`I6 order ${id} is the answer to two intents`);
      if (coid !== undefined) byClientId.set(`${intent.user} ${coid}`, id);
    } else if (claimed.has(effect)) problems.push(`I6 transfer ${id} is the answer to two intents`);
    claimed.add(effect);
  }
  for (const effect of effects.keys())
    if (!claimed.has(effect)) problems.push(`I6 ${effect} has happened and nobody was told so`);
  for (const order of orders.values())
    if (order.reason === 'user' && !cancelled.has(order.id))
      problems.push(`I6 order ${order.id} was cancelled and nobody was told so`);
  for (const order of orders.values())
    if (!effects.has(`order ${order.id}`)) problems.push(`I6 order ${order.id} is in a book and was never held`);
  return problems;
}

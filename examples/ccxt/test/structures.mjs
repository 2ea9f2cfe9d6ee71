// The requirements of ccxt's own tests on the structures of an exchange: each check returns the problems, none if all
// is right.
import ccxt from 'ccxt';

const { Precise } = ccxt;
/** The first block of Bitcoin, and the end of 32 bits of seconds. Ms. */
const TIMES = { first: 1_230_940_800_000, last: 2_147_483_648_000 };
/** How far ahead of the exchange's clock a time may be. Ms. */
const AHEAD_MS = 60_000;
/** Numbers of digits, which are no sizes of a step. */
const DIGITS = ['2', '3', '4', '6', '7', '8', '9', '11', '12', '13', '14', '15', '16'];
/** Figures of a day are rounded. */
const TOLERANCE = '1.0001';

const isGiven = (value) => value !== undefined && value !== null;
const textOf = (value) => (isGiven(value) ? ccxt.numberToString(value) : undefined);
const isGreater = (value, than) => !isGiven(value) || Precise.stringGt(textOf(value), than);
const isLeast = (value, least) => !isGiven(value) || Precise.stringGe(textOf(value), least);
const isMost = (value, most) => !isGiven(value) || Precise.stringLe(textOf(value), most);

/** Kinds of fields. A number is what the bot makes of numbers: text, where it wants every digit. */
const kinds = (exchange) => ({
  any: () => true,
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object',
  number: (value) => typeof value === typeof exchange.parseNumber('1') && Number.isFinite(Number(value)),
});

/** Collects the problems of one entry. */
class Findings {
  problems = [];

  constructor(exchange, entry) {
    this.exchange = exchange;
    this.entry = entry;
    this.kinds = kinds(exchange);
  }
  expect(isRight, problem) {
    if (!isRight) this.problems.push(problem);
  }
  /** Fields that must be there, as `name: kind`; one with a question mark may be empty. */
  fields(wanted) {
    for (const [name, kind] of Object.entries(wanted)) {
      const value = this.entry[name];
      this.expect(name in this.entry, `${name} is missing`);
      if (value === undefined) this.expect(kind.endsWith('?'), `${name} is empty`);
      else this.expect(this.kinds[kind.replace('?', '')](value), `${name} is no ${kind}: ${JSON.stringify(value)}`);
    }
  }
  time(now, name = 'timestamp', mayBeEmpty = false) {
    const value = this.entry[name];
    if (value === undefined) return this.expect(mayBeEmpty, `${name} is empty`);
    this.expect(Number.isInteger(value) && value > TIMES.first && value < TIMES.last, `${name} is no time: ${value}`);
    if (now !== undefined) this.expect(value < now + AHEAD_MS, `${name} is ahead of the clock`);
    if (name === 'timestamp' && !Array.isArray(this.entry))
      this.expect(this.entry.datetime === this.exchange.iso8601(value), 'datetime is not that of timestamp');
  }
  oneOf(name, ...values) {
    const value = this.entry[name];
    this.expect(value === undefined || values.includes(value), `${name} is none of ${values.join()}: ${value}`);
  }
  above(least, ...names) {
    for (const name of names) this.expect(isGreater(this.entry[name], least), `${name} is not above ${least}`);
  }
  least(least, ...names) {
    for (const name of names) this.expect(isLeast(this.entry[name], least), `${name} is below ${least}`);
  }
  code(code) {
    this.expect(code === undefined || code in this.exchange.currencies, `${code} is no currency of the exchange`);
  }
  fee(fee, name, mayBeEmpty = false) {
    if (fee === undefined) return;
    this.expect('cost' in fee && 'currency' in fee, `${name} has no cost or currency`);
    if (mayBeEmpty && fee.cost === undefined) return;
    this.expect(this.kinds.number(fee.cost), `${name}.cost is no number: ${JSON.stringify(fee.cost)}`);
    this.code(fee.currency);
  }
  symbol(symbol) {
    const { symbol: given } = this.entry;
    this.expect(symbol === undefined || given === symbol, `symbol is ${given}, not ${symbol}`);
  }
  step(name) {
    const value = textOf(this.entry[name]);
    this.above('0', name);
    this.expect(!DIGITS.includes(value), `${name} is a count of digits: ${value}`);
  }
}

const CHECKS = {
  trade(found, { symbol, now, isPublic }) {
    found.fields({
      ...{ info: 'any', id: 'text', timestamp: 'any', datetime: 'text', symbol: 'text', order: 'text?' },
      ...{ side: 'text', takerOrMaker: 'text?', price: 'number', amount: 'number', cost: 'number' },
      ...{ fees: 'list', fee: 'object?' },
    });
    found.time(now);
    found.symbol(symbol);
    found.oneOf('side', 'buy', 'sell');
    found.oneOf('takerOrMaker', 'taker', ...(isPublic ? [] : ['maker']));
    const { entry } = found;
    const product = Precise.stringMul(textOf(entry.price), textOf(entry.amount));
    found.expect(isMost(entry.cost, product), 'cost is more than price × amount');
    // Of a public trade ccxt makes an empty fee.
    found.fee(entry.fee, 'fee', isPublic);
    for (const [index, fee] of entry.fees.entries()) found.fee(fee, `fees ${index}`);
    if (!isPublic) found.expect(entry.order !== undefined && entry.fee !== undefined, 'an own fill has order and fee');
  },
  order(found, { symbol, now }) {
    found.fields({
      ...{ info: 'any', id: 'text', clientOrderId: 'text?', timestamp: 'any', datetime: 'text' },
      ...{ lastTradeTimestamp: 'any?', lastUpdateTimestamp: 'any', symbol: 'text', type: 'text', timeInForce: 'text' },
      ...{ postOnly: 'flag', side: 'text', price: 'number?', stopPrice: 'number?', triggerPrice: 'number?' },
      ...{ stopLossPrice: 'number?', takeProfitPrice: 'number?', amount: 'number', cost: 'number?' },
      ...{ average: 'number?', filled: 'number', remaining: 'number', status: 'text', fee: 'object', fees: 'list' },
      ...{ trades: 'list', reduceOnly: 'flag?' },
    });
    const { entry } = found;
    found.time(now);
    found.time(now, 'lastUpdateTimestamp');
    found.expect(entry.lastUpdateTimestamp >= entry.timestamp, 'it changed before it was placed');
    found.symbol(symbol);
    found.oneOf('timeInForce', 'GTC', 'IOC', 'FOK', 'PO');
    found.oneOf('status', 'open', 'closed', 'canceled');
    found.oneOf('side', 'buy', 'sell');
    found.oneOf('type', 'limit', 'market');
    found.above('0', 'price', 'stopPrice', 'triggerPrice', 'stopLossPrice', 'average', 'amount');
    found.least('0', 'cost', 'filled', 'remaining');
    const rest = Precise.stringSub(textOf(entry.amount), textOf(entry.filled));
    found.expect(Precise.stringEq(rest, textOf(entry.remaining)), 'filled and remaining are not the amount');
    found.expect(entry.type === 'market' || isGiven(entry.price), 'a limit order has no price');
    found.expect(entry.status !== 'closed' || isGiven(entry.average), 'it is filled at no price');
    found.fee(entry.fee, 'fee');
    for (const [index, fee] of entry.fees.entries()) found.fee(fee, `fees ${index}`);
  },
  /** An order of which only what a command answers is known. */
  ended(found, { symbol }) {
    found.fields({ info: 'any', id: 'text', status: 'text', symbol: 'text' });
    found.oneOf('status', 'canceled');
    found.symbol(symbol);
  },
  ticker(found, { symbol, now, isLive }) {
    const { entry, exchange } = found;
    found.fields({
      ...{ info: 'any', symbol: 'text', timestamp: 'any', datetime: 'text', high: 'number', low: 'number' },
      ...{ bid: 'number?', bidVolume: 'number?', ask: 'number?', askVolume: 'number?', vwap: 'number?' },
      ...{ open: 'number', close: 'number', last: 'number', previousClose: 'number?', change: 'number' },
      ...{ percentage: 'number', average: 'number', baseVolume: 'number' },
      // Messages of the stream have no turnover.
      quoteVolume: isLive ? 'number?' : 'number',
    });
    found.time(now);
    found.symbol(symbol);
    found.above('0', 'open', 'high', 'low', 'close', 'last', 'ask', 'bid', 'average');
    found.least('0', 'vwap', 'askVolume', 'bidVolume', 'baseVolume', 'quoteVolume');
    const [last, open, high, low, change] = ['last', 'open', 'high', 'low', 'change'].map((name) =>
      textOf(entry[name]),
    );
    found.expect(last === textOf(entry.close), 'close is not last');
    for (const [name, value] of Object.entries({ last, open }))
      found.expect(isLeast(value, low) && isMost(value, high), `${name} is not between low and high`);
    if (isGiven(entry.bid) && isGiven(entry.ask)) found.above(textOf(entry.bid), 'ask');
    found.least('-100', 'percentage');
    found.expect(isMost(entry.percentage, '10000'), 'percentage is more than a hundredfold');
    const percentage = Precise.stringMul(Precise.stringDiv(change, open), '100');
    const off = Precise.stringAbs(Precise.stringSub(percentage, textOf(entry.percentage)));
    found.expect(isMost(off, '0.000001'), 'percentage is not change by open');
    const difference = Precise.stringAbs(Precise.stringSub(Precise.stringSub(last, open), change));
    found.expect(isMost(difference, '0.000001'), 'change is not last less open');
    const [base, quote] = [textOf(entry.baseVolume), textOf(entry.quoteVolume)];
    if (quote === undefined || Precise.stringEq(base, '0')) return;
    const amount = textOf(exchange.market(entry.symbol).precision.amount);
    const least = Precise.stringDiv(Precise.stringMul(Precise.stringSub(base, amount), low), TOLERANCE);
    const most = Precise.stringMul(Precise.stringMul(Precise.stringAdd(base, amount), high), TOLERANCE);
    found.expect(
      isLeast(quote, least) && isMost(quote, most),
      'quoteVolume is not baseVolume at the prices of the day',
    );
  },
  book(found, { symbol, now }) {
    const { entry } = found;
    found.fields({ symbol: 'text', asks: 'list', bids: 'list', timestamp: 'any', datetime: 'text', nonce: 'any' });
    found.time(now);
    found.symbol(symbol);
    for (const [name, isBetter] of [
      ['bids', Precise.stringGt],
      ['asks', Precise.stringLt],
    ])
      for (const [index, [price, amount]] of entry[name].entries()) {
        found.expect(found.kinds.number(price) && found.kinds.number(amount), `${name} ${index} are no numbers`);
        found.expect(isGreater(price, '0') && isGreater(amount, '0'), `${name} ${index} is not above 0`);
        const next = entry[name][index + 1]?.[0];
        found.expect(next === undefined || isBetter(textOf(price), textOf(next)), `${name} ${index} is not the better`);
      }
    const [[bid] = [], [ask] = []] = [entry.bids[0], entry.asks[0]];
    if (bid && ask) found.expect(Precise.stringLt(textOf(bid), textOf(ask)), 'the best bid is not below the best ask');
  },
  balance(found) {
    found.fields({ info: 'any', free: 'object', used: 'object', total: 'object' });
    const { entry } = found;
    for (const code of Object.keys(entry.total)) {
      found.code(code);
      const [free, used, total] = ['free', 'used', 'total'].map((name) => entry[name][code]);
      for (const value of [free, used, total])
        found.expect(found.kinds.number(value), `${code} is no number: ${value}`);
      const sum = Precise.stringAdd(textOf(free), textOf(used));
      found.expect(Precise.stringEq(sum, textOf(total)), `free and used of ${code} are not the total`);
    }
  },
  market(found) {
    const { entry, exchange } = found;
    found.fields({
      ...{ id: 'text', symbol: 'text', base: 'text', quote: 'text', baseId: 'text', quoteId: 'text' },
      ...{ taker: 'number', maker: 'number', active: 'flag', type: 'text', spot: 'flag', margin: 'flag' },
      ...{ swap: 'flag', future: 'flag', option: 'flag', contract: 'flag', linear: 'flag?', inverse: 'flag?' },
      ...{ contractSize: 'number?', expiry: 'any?', expiryDatetime: 'text?', optionType: 'text?', strike: 'number?' },
      ...{ settle: 'text?', settleId: 'text?', precision: 'object', limits: 'object', marginModes: 'object' },
      ...{ info: 'any', created: 'any?' },
    });
    found.expect(entry.type === 'spot' && entry.spot === true, 'it is no spot market');
    const others = ['contract', 'swap', 'future', 'option', 'margin'].filter((name) => entry[name] !== false);
    found.expect(others.length === 0, `a spot market has ${others.join()}`);
    const contract = ['linear', 'inverse', 'contractSize', 'expiry', 'strike', 'settle', 'settleId'];
    for (const name of contract) found.expect(entry[name] === undefined, `a spot market has ${name}`);
    for (const name of ['taker', 'maker'])
      found.expect(isLeast(entry[name], '0') && isMost(entry[name], '1'), `${name} is no part of one`);
    const inside = (name) => new Findings(exchange, entry[name]);
    const precision = inside('precision');
    for (const name of ['amount', 'price']) precision.step(name);
    found.problems.push(...precision.problems);
    for (const [name, limit] of Object.entries(entry.limits)) {
      found.expect(isLeast(limit.min, '0') && isGreater(limit.max, '0'), `limits of ${name} are below 0`);
      found.expect(!isGiven(limit.min) || isLeast(limit.max, textOf(limit.min)), `limits of ${name} are crossed`);
    }
    for (const name of ['amount', 'price', 'cost']) found.expect(name in entry.limits, `there is no limit of ${name}`);
    for (const name of ['cross', 'isolated']) found.expect(name in entry.marginModes, `marginModes has no ${name}`);
    for (const [id, code] of [
      [entry.baseId, entry.base],
      [entry.quoteId, entry.quote],
    ]) {
      found.expect(exchange.currency(code).id === id, `${code} is not the currency ${id}`);
      found.expect(exchange.safeCurrency(id).code === code, `the currency ${id} is not ${code}`);
    }
  },
  currency(found) {
    const { entry } = found;
    found.fields({
      ...{ info: 'any', id: 'text', code: 'text', name: 'text', type: 'text', withdraw: 'flag', deposit: 'flag' },
      ...{ active: 'flag', precision: 'number', fee: 'number?', networks: 'object', limits: 'object' },
    });
    found.code(entry.code);
    found.step('precision');
    const isBoth = entry.deposit === entry.withdraw;
    found.expect(!isBoth || entry.active === entry.deposit, 'active is not what deposit and withdraw say');
    for (const name of ['withdraw', 'deposit']) found.expect(name in entry.limits, `there is no limit of ${name}`);
  },
  candle(found, { now }) {
    const { entry } = found;
    found.expect(Array.isArray(entry) && entry.length >= 6, 'it has not six figures');
    found.time(now, 0);
    const [, open, high, low, close, volume] = entry;
    for (const value of [open, high, low, close, volume])
      found.expect(found.kinds.number(value), `no number: ${value}`);
    for (const value of [open, low, close]) found.expect(isMost(value, textOf(high)), 'high is not the highest');
    for (const value of [open, close]) found.expect(isLeast(value, textOf(low)), 'low is not the lowest');
    found.expect(isLeast(volume, '0'), 'volume is below 0');
  },
  transaction(found, { now, code }) {
    const { entry } = found;
    found.fields({
      ...{ info: 'any', id: 'text', txid: 'text?', timestamp: 'any', datetime: 'text', network: 'text?' },
      ...{ address: 'text?', addressTo: 'text?', addressFrom: 'text?', tag: 'text?', tagTo: 'text?', tagFrom: 'text?' },
      ...{ type: 'text', amount: 'number', currency: 'text', status: 'text', updated: 'any', fee: 'object' },
      ...{ internal: 'flag?', comment: 'text?' },
    });
    found.time(now);
    found.time(now, 'updated');
    found.code(entry.currency);
    found.expect(code === undefined || entry.currency === code, `currency is not ${code}`);
    found.oneOf('status', 'ok', 'pending', 'failed', 'rejected', 'canceled');
    found.oneOf('type', 'deposit', 'withdrawal');
    found.above('0', 'amount');
    found.fee(entry.fee, 'fee');
  },
  tradingFee(found, { symbol }) {
    found.fields({
      ...{ info: 'any', symbol: 'text', maker: 'number', taker: 'number', percentage: 'flag', tierBased: 'flag' },
    });
    found.symbol(symbol);
  },
  status(found) {
    found.fields({ info: 'any', status: 'text', updated: 'any?', eta: 'any?', url: 'text?' });
    found.oneOf('status', 'ok', 'error', 'shutdown', 'maintenance');
  },
};

/** Returns the problems of one structure; none if it is right. */
export function problemsOf(exchange, kind, entry, context = {}) {
  if (!isGiven(entry) || typeof entry !== 'object') return [`it is no ${kind}: ${JSON.stringify(entry)}`];
  const found = new Findings(exchange, entry);
  CHECKS[kind](found, context);
  return found.problems;
}

/** Returns the problems of a list: of its entries, or of their order. */
export function problemsOfAll(exchange, kind, entries, context = {}) {
  if (!Array.isArray(entries)) return [`it is no list: ${JSON.stringify(entries)}`];
  const problems = entries.flatMap((entry) => problemsOf(exchange, kind, entry, context));
  const timeOf = (entry) => (kind === 'candle' ? entry[0] : entry.timestamp);
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (before === undefined) continue;
    if (timeOf(before) > timeOf(entry)) problems.push(`${index} is older than the one before it`);
    // One taker at one moment: the price moves away from it.
    const isRow = kind === 'trade' && context.isPublic && before.timestamp === entry.timestamp;
    if (!isRow || before.side !== entry.side) continue;
    const isWorse = entry.side === 'buy' ? isLeast : isMost;
    if (!isWorse(entry.price, textOf(before.price))) problems.push(`${index} has the side of its maker`);
  }
  return problems;
}

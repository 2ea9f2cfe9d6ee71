// Mistakes in the order book and in the rules of matching.
const engine = 'libs/matching/src/market-engine.ts';
const ladder = 'libs/matching/src/ladder-book.ts';
const market = 'libs/matching/src/market.ts';
const book = 'libs/matching/test/book.unit.test.ts';
const trail = 'libs/matching/src/trail.ts';
const trailTest = 'libs/matching/src/trail.property.test.ts';
const engineTest = 'libs/matching/src/market-engine.unit.test.ts';

export default [
  {
    id: 'match-01',
    what: 'the quote amount rounds up',
    breaks: 'I5',
    file: engine,
    find: "const quote = quoteOf(market, price, quantity, 'down');",
    replace: "const quote = quoteOf(market, price, quantity, 'up');",
    test: engineTest,
    name: 'the quote amount rounds down once',
  },
  {
    id: 'match-02',
    fast: true,
    what: 'fees round down',
    breaks: 'I5',
    file: 'libs/formulas/src/percent.ts',
    find:
      'export const feeOf = (received: bigint, rate: bigint): bigint => ' +
      "percentOf(received, rate, PERCENT_SCALE, 'up');",
    replace:
      'export const feeOf = (received: bigint, rate: bigint): bigint => ' +
      "percentOf(received, rate, PERCENT_SCALE, 'down');",
    test: engineTest,
    name: 'the quote amount rounds down once',
  },
  {
    id: 'match-03',
    what: 'maker and taker pay the same rate',
    breaks: 'I5',
    file: engine,
    find: 'buyerFee: feeOf(base, buyer === taker ? buyer.takerFee : buyer.makerFee),',
    replace: 'buyerFee: feeOf(base, buyer.takerFee),',
    seeds: 'I5',
  },
  {
    id: 'match-04',
    what: 'price improvement is kept from the buyer',
    breaks: 'I3',
    file: engine,
    find: "const improvement = isMarket(buyer) ? 0n : quoteOf(market, buyer.price - price, quantity, 'down');",
    replace: 'const improvement = 0n;',
    test: engineTest,
    name: 'a limit buy over two sellers',
  },
  {
    id: 'match-05',
    what: 'self-trade prevention cancels the incoming order instead of the resting one',
    breaks: 'I5',
    file: ladder,
    find: `ownStop = stop = selfTrade !== CANCEL_OLDEST;
          if (selfTrade === CANCEL_NEWEST) break;`,
    replace: `ownStop = stop = selfTrade !== CANCEL_NEWEST;
          if (selfTrade === CANCEL_OLDEST) break;`,
    test: book,
    name: 'no owner trades with himself',
  },
  {
    id: 'match-06',
    fast: true,
    what: 'people trade with themselves',
    breaks: 'I5',
    file: engine,
    find: 'if (owner === undefined) this.owners.set(who, (owner = this.owners.size + 1));',
    replace: 'if (owner === undefined) this.owners.set(who, (owner = 0));',
    seeds: 'I5',
  },
  {
    id: 'match-07',
    what: 'fill or kill fills in part',
    breaks: 'I5',
    file: ladder,
    find: 'if (fillOrKill && this.unfillable(owner, side, bound, quantity, selfTrade, budgetHigh, budgetLow) > 0)',
    replace: `if (
      fillOrKill &&
      quantity < 0 &&
      this.unfillable(owner, side, bound, quantity, selfTrade, budgetHigh, budgetLow) > 0
    )`,
    test: book,
    name: 'a market order that must fill whole',
  },
  {
    id: 'match-08',
    what: 'a market order trades beyond its bound',
    breaks: 'I5',
    file: ladder,
    find: 'const left = this.match(id, owner, side, bound, quantity, selfTrade);',
    replace: 'const left = this.match(id, owner, side, side === BUY ? NONE - 1 : 1, quantity, selfTrade);',
    test: book,
    name: 'a market order stops at its bound',
  },
  {
    id: 'match-09',
    what: 'a market buy spends more than it holds',
    breaks: 'I3',
    file: ladder,
    find: '              take = paid;',
    replace: '',
    test: book,
    name: 'a market buy never spends more than its budget',
  },
  {
    id: 'match-10',
    fast: true,
    what: "another's order is cancelled",
    breaks: 'I11',
    file: engine,
    find: 'return order?.userId === userId ? order : null;',
    replace: 'return order && userId >= 0 ? order : null;',
    test: engineTest,
    name: 'a cancel ends an open order of its owner once',
  },
  {
    id: 'match-11',
    what: 'stops start on the wrong side',
    breaks: 'I7',
    file: engine,
    find:
      'return this.last !== 0 && (order.side === BUY ? this.last >= ' +
      'order.stopPrice : this.last <= order.stopPrice);',
    replace:
      'return this.last !== 0 && (order.side === BUY ? this.last <= order.stopPrice : this.last >= order.stopPrice);',
    test: engineTest,
    name: 'a stop waits outside the book',
  },
  {
    id: 'match-12',
    what: 'stops that start together run newest first',
    breaks: 'I7',
    file: engine,
    find: '.sort((a, b) => a.sequence - b.sequence);',
    replace: '.sort((a, b) => b.sequence - a.sequence);',
    test: 'libs/matching/src/stops.unit.test.ts',
    name: 'of two stops that one price starts the older one starts first',
  },
  {
    id: 'match-13',
    what: 'the newer order at a price trades first',
    breaks: 'I5',
    file: ladder,
    find: `ends[(level << 1) + 1] = slot;
    if (tail !== 0) links[(tail << 3) + NEXT] = slot;
    else {`,
    replace: `if (tail !== 0) {
      const head = ends[level << 1]!;
      links[at + PREVIOUS] = 0;
      links[at + NEXT] = head;
      links[(head << 3) + PREVIOUS] = slot;
      ends[level << 1] = slot;
    } else {
      ends[(level << 1) + 1] = slot;`,
    test: book,
    name: 'the better price trades first, the older order at the same price',
  },
  {
    id: 'match-14',
    what: 'a post-only order takes',
    breaks: 'I5',
    file: ladder,
    find: 'if (postOnly) return POST_ONLY_CROSSED;',
    replace: 'if (postOnly && quantity < 0) return POST_ONLY_CROSSED;',
    test: book,
    name: 'post only rests, or is cancelled when it would trade',
  },
  {
    id: 'match-15',
    what: 'orders trade in a market that only cancels',
    breaks: 'I8',
    file: engine,
    find: "if (this.currentMode !== 'normal') {",
    replace: "if (this.currentMode === 'halted') {",
    test: engineTest,
    name: 'a market that is not open rejects new orders, and still cancels',
  },
  {
    id: 'match-16',
    what: 'the hash of a book ignores cancels',
    breaks: 'I7',
    file: engine,
    find: 'this.rolling.toggle(order.side, order.price, order.sequence, left);',
    replace: '',
    seeds: 'I7',
  },
  {
    id: 'match-17',
    what: 'the remainder of an immediate order rests',
    breaks: 'I8',
    file: ladder,
    find: 'if (timeInForce !== GTC) return IOC_REST;',
    replace: 'if (timeInForce === FOK) return IOC_REST;',
    test: book,
    name: 'immediate or cancel leaves nothing behind',
  },
  {
    id: 'match-18',
    what: 'a cap admits prices above the band',
    breaks: 'I5',
    file: market,
    find:
      'Number(divide(BigInt(bestAsk) * (pow10(PERCENT_SCALE + 2) + market.band), ' +
      "pow10(PERCENT_SCALE + 2), 'down')),",
    replace:
      "Number(divide(BigInt(bestAsk) * (pow10(PERCENT_SCALE + 2) + market.band), pow10(PERCENT_SCALE + 2), 'up')),",
    test: engineTest,
    name: 'cap and floor keep to the band',
  },
  {
    id: 'match-19',
    what: 'an amended order keeps its priority whatever changes',
    breaks: 'I7',
    file: 'libs/matching/src/amend.ts',
    find: 'price === before.price && quantity <= before.quantity;',
    replace: 'price === before.price;',
    test: engineTest,
    name: 'a smaller amount keeps the priority of an order',
  },
  {
    id: 'match-20',
    what: 'the trades of a command start no stops of sellers',
    breaks: 'I7',
    file: engine,
    find: 'this.collectDue(this.stops[SELL]);',
    replace: '',
    test: 'libs/matching/src/stops.unit.test.ts',
    name: 'a stop starts at each trade of a sweep that reaches it',
  },
  {
    id: 'oco-01',
    fast: true,
    what: 'the stop leg of a pair survives a fill of its limit leg',
    breaks: 'I6',
    file: engine,
    find: "if (maker.linkId !== '') this.endStopLeg(maker, listener);",
    replace: '',
    test: engineTest,
    name: 'is ended by a part of its limit leg',
  },
  {
    id: 'oco-02',
    fast: true,
    what: 'the hold of a pair is released while its stop leg uses it',
    breaks: 'I3',
    file: engine,
    find: `limit.holdLeft -= units;
    stop.held = units;`,
    replace: 'stop.held = units;',
    test: engineTest,
    name: 'is ended by the start of its stop leg',
  },
  {
    id: 'oco-03',
    what: 'the limit leg of a pair keeps the hold of both',
    breaks: 'I3',
    file: engine,
    find: 'if (units > 0n) listener.holdMoved({ limit, stop: null, units });',
    replace: '',
    seeds: 'I',
  },
  {
    id: 'oco-04',
    what: 'a leg of a pair is amended away from its hold',
    breaks: 'I3',
    file: engine,
    find: "if (this.otherLeg(order)) return 'linked';",
    replace: '',
    test: engineTest,
    name: 'refuses an amend of either leg',
  },
  {
    id: 'oco-05',
    what: 'the exits of a buy sell more than its fills brought after the fee',
    breaks: 'I6',
    file: 'libs/matching/src/exits.ts',
    find: '(baseOf(market, filled) - fee)',
    replace: 'baseOf(market, filled)',
    test: 'services/spot-matching/src/application/exits.unit.test.ts',
    name: 'of a buy sell its fills after the fee, down to a lot, under one hold',
  },
  {
    id: 'oco-06',
    what: 'an order that ends after a partial fill places no exits',
    breaks: 'I6',
    file: 'services/spot-matching/src/application/engine-batch.ts',
    find: 'if (hasExits(order)) this.placeExits(market, order);',
    replace: 'if (hasExits(order) && order.filled === order.quantity) this.placeExits(market, order);',
    seeds: 'I6',
  },
  {
    id: 'trail-01',
    what: 'the trigger of a trailing stop is rounded towards the price',
    breaks: 'I5',
    file: trail,
    find: 'Math.floor((best * (PERCENT_WHOLE - percent)) / PERCENT_WHOLE)',
    replace: 'Math.ceil((best * (PERCENT_WHOLE - percent)) / PERCENT_WHOLE)',
    test: trailTest,
    name: 'to the tick away from triggering',
  },
  {
    id: 'trail-02',
    what: 'a trailing stop is active before its activation price is reached',
    breaks: 'I5',
    file: trail,
    find: 'best === 0 ? price === activation || isBetter(side, price, activation)',
    replace: 'best === 0 ? price > 0',
    test: trailTest,
    name: 'a trigger that is never loosened',
  },
  {
    id: 'trail-03',
    what: 'a trade does not move a trailing stop',
    breaks: 'I5',
    file: engine,
    find: 'for (const stops of this.allTrailing) stops.follow(price, this.due);',
    replace: 'for (const stops of this.allTrailing.slice(4)) stops.follow(price, this.due);',
    test: trailTest,
    name: 'a trigger that is never loosened',
  },
  {
    id: 'trail-04',
    what: 'the trigger at which a trailing stop has started is not stored',
    breaks: 'I5',
    file: 'services/spot-matching/src/application/running-market.ts',
    find: 'for (const orders of [batch.inserted, batch.updated])',
    replace: 'for (const orders of [batch.inserted])',
    test: 'services/spot-matching/src/application/trails.unit.test.ts',
    name: 'trails are stored with their orders',
  },
];

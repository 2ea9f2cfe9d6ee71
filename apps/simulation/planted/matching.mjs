// Mistakes in matching and settlement.
const engine = 'services/spot-matching/src/domain/market-engine.ts';
const ladder = 'services/spot-matching/src/domain/ladder-book.ts';
const market = 'services/spot-matching/src/domain/market.ts';
const runtime = 'services/spot-matching/src/application/engine-runtime.ts';
const batch = 'services/spot-matching/src/application/engine-batch.ts';
const settlement = 'services/spot-matching/src/application/settlement.ts';
const book = 'services/spot-matching/test/book/book.unit.test.ts';
const engineTest = 'services/spot-matching/src/domain/market-engine.unit.test.ts';

export default [
  {
    id: 'settle-01',
    what: "the seller's fee is not taken",
    breaks: 'I3',
    file: settlement,
    find: "const sellerFee = quoteLeg(sellerFree, 'h.fees', trade.sellerFee, true);",
    replace: 'const sellerFee: Leg[] = [];',
    seeds: 'I',
  },
  {
    id: 'settle-02',
    what: "the buyer's fee is not taken between partitions",
    breaks: 'I4',
    file: settlement,
    find: "        ...baseLeg('h.clearing', buyerFree, base),\n        ...buyerFee,",
    replace: "        ...baseLeg('h.clearing', buyerFree, base),",
    seeds: 'I',
  },
  {
    id: 'settle-03',
    what: 'what a better price saves is not given back',
    breaks: 'I3',
    file: settlement,
    find: 'const improvement = quoteLeg(buyerHeld, buyerFree, trade.improvement);',
    replace: 'const improvement: Leg[] = [];',
    seeds: 'I3',
  },
  {
    id: 'settle-04',
    what: 'a trade is settled twice',
    breaks: 'I5',
    file: batch,
    find: 'this.emissions.push(...settlementOf(market, trade, this.targets.ledgerPartitions));',
    replace: `for (let times = 0; times < 2; times++)
          this.emissions.push(...settlementOf(market, trade, this.targets.ledgerPartitions));`,
    seeds: 'I',
  },
  {
    id: 'settle-05',
    what: 'a trade is not settled',
    breaks: 'I5',
    file: batch,
    find: 'this.emissions.push(...settlementOf(market, trade, this.targets.ledgerPartitions));',
    replace: `if (trade.sequence % 5 !== 0)
          this.emissions.push(...settlementOf(market, trade, this.targets.ledgerPartitions));`,
    seeds: 'I5',
  },
  {
    id: 'settle-06',
    what: 'the hold of an ended order is not released',
    breaks: 'I3',
    file: batch,
    find: 'this.emissions.push(...releaseOf(market, order, this.targets.ledgerPartitions));',
    replace:
      "if (order.reason !== 'ioc') this.emissions.push(...releaseOf(market, order, this.targets.ledgerPartitions));",
    seeds: 'I3',
  },
  {
    id: 'settle-07',
    what: 'an ended order gives back all that it ever held',
    breaks: 'I3',
    file: settlement,
    find: "amount: 'rest',",
    replace: 'amount: formatUnits(order.held, order.side === BUY ? market.quoteScale : market.baseScale),',
    seeds: 'I',
  },
  {
    id: 'settle-08',
    what: 'one side of a trade between partitions is left out',
    breaks: 'I5',
    file: settlement,
    find: 'command(sellerPartition, seller, {',
    replace: `...(trade.sequence < 0 ? [] : []),
    command(trade.sequence % 2 === 0 ? sellerPartition : buyerPartition, seller, {`,
    seeds: 'I',
  },
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
    what: 'the order that comes gives way where the resting one should',
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
    what: "another's order is cancelled",
    breaks: 'I11',
    file: engine,
    find: 'if (!order || order.userId !== userId) return null;',
    replace: 'if (!order || userId < 0) return null;',
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
    find: 'started.sort((a, b) => a.sequence - b.sequence);',
    replace: 'started.sort((a, b) => b.sequence - a.sequence);',
    test: 'services/spot-matching/src/domain/stops.unit.test.ts',
    name: 'of two stops that one price starts the older goes first',
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
    name: 'a market that is not open ends what arrives',
  },
  {
    id: 'match-16',
    what: 'the hash of a book forgets cancels',
    breaks: 'I7',
    file: engine,
    find: '} else this.rolling.toggle(order.side, order.price, order.sequence, order.quantity - order.filled);',
    replace: '}',
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
    what: 'a cap lets through prices above the band',
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
    id: 'engine-01',
    what: 'a cancel is answered before the commit',
    breaks: 'I6',
    file: runtime,
    find: 'depth.handedOver(batch.touched);',
    replace: `depth.handedOver(batch.touched);
    for (const {
      command: { replyTo },
      reply,
    } of batch.answers)
      if (replyTo && reply) this.replies.publish(replyTo, reply);`,
    seeds: 'I6',
  },
  {
    id: 'engine-02',
    what: 'a cancel that the log brings twice stops its book',
    breaks: 'I9',
    file: runtime,
    find: 'const kept = [...first.values()].filter(({ command }) => command.bodyHash !== undefined);',
    replace: 'const kept = batch.answers.filter(({ command }) => command.bodyHash !== undefined);',
    seeds: 'streams read',
  },
  {
    id: 'engine-03',
    what: 'a repeated cancel is told something else than the first',
    breaks: 'I6',
    file: runtime,
    find: `if (known) answer.reply = known.reply;
      else first.set(answer.command.commandId, answer);`,
    replace: 'if (!known) first.set(answer.command.commandId, answer);',
    seeds: 'I6',
  },
  {
    id: 'engine-04',
    what: 'the answer of a cancel is not stored with its effect',
    breaks: 'I6',
    file: runtime,
    find: 'if (kept.length === 0) return;',
    replace: 'if (kept.length >= 0) return;',
    seeds: 'I6',
  },
  {
    id: 'engine-05',
    what: 'the position moves without the batch',
    breaks: 'I7',
    file: runtime,
    find: `await Promise.all([
          write(tx),
          this.answerCancels(tx, batch),
          tx.emitRows(rows),
          owned.advance(tx, batch.deliveries),
        ]);`,
    replace: 'await Promise.all([write(tx), this.answerCancels(tx, batch), tx.emitRows(rows), owned.advance(tx, [])]);',
    seeds: 'I',
  },
  {
    id: 'engine-06',
    what: 'what the book sends leaves without its commit',
    breaks: 'I5',
    file: runtime,
    find: `await Promise.all([
          write(tx),
          this.answerCancels(tx, batch),
          tx.emitRows(rows),
          owned.advance(tx, batch.deliveries),
        ]);`,
    replace: `await this.database.transaction((sent) => sent.emitRows(rows));
        await Promise.all([write(tx), this.answerCancels(tx, batch), owned.advance(tx, batch.deliveries)]);`,
    seeds: 'I',
  },
];

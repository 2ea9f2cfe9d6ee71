// Mistakes in settlement: what the ledger is told of a trade and of an order that ends.
const batch = 'services/spot-matching/src/application/engine-batch.ts';
const settlement = 'services/spot-matching/src/application/settlement.ts';

export default [
  {
    id: 'settle-01',
    fast: true,
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
    fast: true,
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
    fast: true,
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
];

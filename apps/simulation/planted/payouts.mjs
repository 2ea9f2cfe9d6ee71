// Mistakes in what the house pays out on the chains.
const sender = 'services/wallet-ledger/src/application/withdrawals/sender.ts';
const suite = 'services/wallet-ledger/src/application/withdrawals/sender.property.test.ts';

export default [
  {
    id: 'payout-01',
    what: 'a payment is sent before its signature is stored',
    breaks: 'I8',
    file: sender,
    find: 'const { chain, store, clock } = this.parts;',
    replace: `const { chain, store, clock } = this.parts;
    await chain.send(signed);`,
    test: suite,
    name: 'killed before and after every single step',
  },
  {
    id: 'payout-02',
    what: 'a payment that the network has forgotten is signed anew',
    breaks: 'I8',
    file: sender,
    find: "if (latestStatus.state === 'unknown') return chain.send(latest);",
    replace: "if (latestStatus.state === 'unknown') return this.first(lease, payout, reserved);",
    test: suite,
    name: 'only a confirmed rival makes it fail',
  },
  {
    id: 'payout-03',
    what: 'a rival that is not confirmed makes a payment fail',
    breaks: 'I8',
    file: sender,
    find: 'winner = await this.parts.chain.usedUpBy(spends, own, confirmations);',
    replace: 'winner = await this.parts.chain.usedUpBy(spends, own, confirmations - confirmations + 1);',
    test: suite,
    name: 'only a confirmed rival makes it fail',
  },
  {
    id: 'payout-04',
    what: 'what the chain refused counts as paid',
    breaks: 'I8',
    file: sender,
    find: 'status.success',
    replace: "status.state === 'mined'",
    test: suite,
    name: 'a node that is away, a wallet that is short',
  },
  {
    id: 'payout-05',
    what: 'a payment is done at its first confirmation',
    breaks: 'I8',
    file: sender,
    find: 'if (status.confirmations < needed)',
    replace: 'if (status.confirmations < Math.min(1, needed))',
    test: suite,
    name: 'whatever the network and the processes do',
  },
  {
    id: 'payout-06',
    what: 'payments go out while withdrawals are stopped',
    breaks: 'I8',
    file: sender,
    find: '      if (isClosed && payout.signatures.length === 0) continue;',
    replace: '',
    test: suite,
    name: 'while withdrawals are stopped nothing new is signed',
  },
];

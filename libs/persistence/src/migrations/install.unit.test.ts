import { expect, test } from '@jest/globals';
import { refusalFor, type InstallFacts } from './install.js';

const facts: InstallFacts = {
  demo: false,
  place: 'the database db/exchange',
  seedMarks: [],
  secrets: {},
  partitions: {
    'ledger.commands': { setting: 'LEDGER_PARTITIONS', count: 4 },
    'spot.commands': { setting: 'SPOT_PARTITIONS', count: 3 },
  },
};

test('another number of partitions than that of the install is refused in one sentence [DEPLOY-026]', () => {
  const refusal = refusalFor(new Map([['partitions:spot.commands', '2']]), facts);
  expect(refusal).toContain('SPOT_PARTITIONS is 3, and this install was made with 2 (the database db/exchange)');
  expect(refusal).toContain('set SPOT_PARTITIONS=2');
  expect(refusalFor(new Map([['partitions:ledger.commands', '1']]), facts)).toContain('set LEDGER_PARTITIONS=1');
});

test('the number of the install, and a new install, are taken [DEPLOY-026]', () => {
  const own = new Map([
    ['partitions:spot.commands', '3'],
    ['partitions:ledger.commands', '4'],
    ['partitions:reference', '1'],
  ]);
  expect(refusalFor(own, facts)).toBeNull();
  expect(refusalFor(new Map(), facts)).toBeNull();
});

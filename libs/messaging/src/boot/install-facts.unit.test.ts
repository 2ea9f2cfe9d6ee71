import { expect, test } from '@jest/globals';
import { loadConfig } from '@bourse/platform';
import { installFacts } from './install-facts.js';

test('a process names each topic whose partitions are a setting of the install [DEPLOY-026]', () => {
  const config = loadConfig({ BOURSE_DEV: '1', LEDGER_PARTITIONS: '2', SPOT_PARTITIONS: '3' }, {}, { tool: [] });
  expect(installFacts(config).partitions).toEqual({
    'ledger.commands': { setting: 'LEDGER_PARTITIONS', count: 2 },
    'spot.commands': { setting: 'SPOT_PARTITIONS', count: 3 },
    'spot.events': { setting: 'SPOT_PARTITIONS', count: 3 },
  });
});

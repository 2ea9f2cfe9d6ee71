import { Alarms } from '@bourse/platform';
import { testDatabases } from '@bourse/testing';
import { InProcessLog } from '../../src/index.js';
import { logSuite } from '../log-suite.js';

const PARTITIONS = { 'ledger.commands': 1, 'spot.commands': 1, 'spot.events': 1, 'user.events': 1, reference: 1 };

logSuite('in-process', async () => {
  const test = await testDatabases();
  return {
    test, patienceMs: 5_000,
    async process(instance) {
      const databases = test.another();
      const alarms = new Alarms();
      const log = new InProcessLog({ instance, partitions: PARTITIONS, alarms }, databases);
      return {
        log, alarms,
        open: (schema) => databases.open({ schema, migrations: [] }),
        close: async () => { await log.close(); await databases.close(); },
      };
    },
    end: () => test.end(),
  };
});

import { randomBytes } from 'node:crypto';
import { Alarms } from '@bourse/platform';
import { testDatabases } from '@bourse/testing';
import { KafkaLog } from '../../src/index.js';
import { logSuite } from '../log-suite.js';

const PARTITIONS = { 'ledger.commands': 1, 'spot.commands': 1, 'spot.events': 1, 'user.events': 1, reference: 1 };

logSuite('Kafka', async () => {
  const brokers = process.env.TEST_KAFKA_BROKERS;
  if (!brokers) throw new Error('TEST_KAFKA_BROKERS is not set: this suite needs a broker');
  const topicPrefix = `test.${randomBytes(4).toString('hex')}.`;
  const test = await testDatabases();
  const fatal: string[] = [];
  return {
    test, patienceMs: 15_000,
    async process(instance) {
      const databases = test.another();
      const alarms = new Alarms();
      const log = new KafkaLog({ instance, partitions: PARTITIONS, alarms, brokers: brokers.split(','), topicPrefix, onFatal: (reason) => fatal.push(reason) }, databases);
      return {
        log, alarms,
        open: (schema) => databases.open({ schema, migrations: [] }),
        close: async () => { await log.close(); await databases.close(); },
      };
    },
    async end() {
      await test.end();
      if (fatal.length > 0) throw new Error(`a consumer ended for good: ${fatal.join('; ')}`);
    },
  };
});

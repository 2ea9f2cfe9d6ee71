import { TOPIC_PARTITIONS } from '@bourse/events';
import type { InstallFacts } from '@bourse/persistence';
import { SEED_MARKS, type Config } from '@bourse/platform';

/** The facts by which the install behind the database recognises this process. None of them is secret. */
export function installFacts(
  config: Pick<Config, 'dev' | 'databaseUrl' | 'dataDir' | 'secretChecks' | 'ledgerPartitions' | 'spotPartitions'>,
): InstallFacts {
  const counts = { LEDGER_PARTITIONS: config.ledgerPartitions, SPOT_PARTITIONS: config.spotPartitions };
  return {
    demo: config.dev,
    seedMarks: SEED_MARKS,
    place:
      config.databaseUrl === null ? `the data folder ${config.dataDir}` : `the database ${nameOf(config.databaseUrl)}`,
    secrets: config.secretChecks,
    partitions: Object.fromEntries(
      Object.entries(TOPIC_PARTITIONS).flatMap(([topic, setting]) =>
        typeof setting === 'string' ? [[topic, { setting, count: counts[setting] }]] : [],
      ),
    ),
  };
}

/** Host and name of a database, without the login. */
export function nameOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

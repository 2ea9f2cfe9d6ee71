import { readFileSync } from 'node:fs';
import { authoritiesOf, expiryOf, type Config, type Metrics } from '@bourse/platform';

/**
 * Measures how long the certificates of the trusted authorities are valid: once one has expired, connections to its
 * servers fail. A file that cannot be read counts as expired.
 */
export class AuthorityGauge {
  constructor(
    { redisCa, kafkaAccess, databaseUrl }: Pick<Config, 'redisCa' | 'kafkaAccess' | 'databaseUrl'>,
    metrics: Metrics,
  ) {
    const files = new Set([
      ...[redisCa, kafkaAccess.ca].flatMap((one) => (one === null ? [] : [one.path])),
      ...authoritiesOf(databaseUrl),
    ]);
    if (files.size === 0) return;
    metrics.gauge(
      'bourse_ca_expires_seconds',
      'Time until the authorities of a file are void; 0 when it cannot be read',
      ['file'],
      (gauge) => {
        for (const file of files) gauge.set({ file }, secondsLeft(file));
      },
    );
  }
}

function secondsLeft(file: string): number {
  try {
    const expiry = expiryOf(readFileSync(file, 'utf8'));
    return expiry === null ? 0 : Math.round((expiry - Date.now()) / 1_000);
  } catch {
    return 0;
  }
}

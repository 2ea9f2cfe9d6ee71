import { isLoopback } from '../http/addresses.js';
import { weaknessOf } from '../security/secrets.js';
import { PRICE_SOURCES } from './services.js';
import type { Env } from './environment.js';

/** Returns the conflicts between settings as sentences: settings that contradict or require one another. */
export function* conflicts(env: Env): Generator<string> {
  if (env.BOURSE_DEV) {
    if (/^prod/i.test(env.NODE_ENV ?? ''))
      yield `BOURSE_DEV=1 serves /dev calls and must not be set in production (NODE_ENV=${env.NODE_ENV})`;
    if (env.HOST !== undefined && !staysHere(env.HOST) && !env.BOURSE_DEV_PUBLIC)
      yield (
        `HOST=${env.HOST} shows a demo install to other machines: its passwords are public, and every code is at ` +
        '/dev/inbox. Leave HOST unset, or set BOURSE_DEV_PUBLIC=1 where that is meant'
      );
  } else if (env.BOURSE_DEV_PUBLIC) yield 'BOURSE_DEV_PUBLIC=1 is for demo installs (BOURSE_DEV=1) only';
  if (!env.BOURSE_DEV) {
    // Only the process that has the prices needs the name of their exchange; a wrong one is refused everywhere.
    if (env.PRICE_FEED === undefined) {
      if (env.BOURSE_RUN === 'embedded' || PRICE_SOURCES.includes(env.BOURSE_SERVICE))
        yield (
          'PRICE_FEED is missing; set it to live:<exchange>,…, such as live:binance,kraken,okx,bybit ' +
          '(recorded and simulated prices are for demo installs)'
        );
    } else if (!env.PRICE_FEED.startsWith('live:'))
      yield (
        `PRICE_FEED=${env.PRICE_FEED.split(':')[0]} is for demo installs ` +
        '(BOURSE_DEV=1) only; set it to live:<exchange>,…'
      );
  }
  if (env.BOURSE_EXAMPLES.length > 0 && (!env.BOURSE_DEV || env.BOURSE_RUN === 'distributed'))
    yield 'BOURSE_EXAMPLES is for demo installs (BOURSE_DEV=1) in one process only';
  if (env.KAFKA_SSL_CA_FILE !== undefined && !env.KAFKA_SSL) yield 'KAFKA_SSL_CA_FILE is of no use without KAFKA_SSL=1';
  if (env.KAFKA_SASL_MECHANISM === undefined) {
    const beside = (['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD', 'KAFKA_SASL_PASSWORD_FILE'] as const).find(
      (name) => env[name] !== undefined,
    );
    if (beside !== undefined)
      yield (
        `KAFKA_SASL_MECHANISM is missing; ${beside} says that the broker asks who we are: ` +
        'set it to plain, scram-sha-256 or scram-sha-512'
      );
  } else {
    if (env.KAFKA_SASL_USERNAME === undefined) yield 'KAFKA_SASL_USERNAME is missing; KAFKA_SASL_MECHANISM needs it';
    if ((env.KAFKA_SASL_PASSWORD === undefined) === (env.KAFKA_SASL_PASSWORD_FILE === undefined))
      yield 'KAFKA_SASL_PASSWORD or KAFKA_SASL_PASSWORD_FILE must be set, and only one of them';
  }
  if ((env.POINTS_URL === undefined) !== (env.POINTS_SECRET === undefined))
    yield 'POINTS_URL and POINTS_SECRET must be set together: by the secret the third party knows who asks it';
  if (!env.BOURSE_DEV) {
    if (env.POINTS_URL?.startsWith('http:') === true)
      yield 'POINTS_URL must begin with https: passwords of people are sent there';
    const weakness = env.POINTS_SECRET === undefined ? null : weaknessOf('POINTS_SECRET', env.POINTS_SECRET);
    if (weakness !== null) yield `POINTS_SECRET ${weakness}; make one with: openssl rand -base64 32`;
  }
  if (env.BOURSE_RUN === 'distributed') {
    if (!env.DATABASE_URL) yield 'DATABASE_URL is missing; the distributed run needs it';
    if (!env.REDIS_URL) yield 'REDIS_URL is missing; the distributed run needs it';
    if (env.KAFKA_BROKERS.length === 0) yield 'KAFKA_BROKERS is missing; the distributed run needs it';
    if (Object.keys(env.BOURSE_SERVICES).length === 0) yield 'BOURSE_SERVICES is missing; the distributed run needs it';
    if (env.INTERNAL_KEY === undefined && !env.BOURSE_DEV)
      yield 'INTERNAL_KEY is missing; the distributed run needs it (npx bourse keys makes one for each service)';
    if (env.INTERNAL_KEY !== undefined)
      for (const name of Object.keys(env.BOURSE_SERVICES))
        if (!Object.hasOwn(env.INTERNAL_PUBLIC_KEYS, name)) yield `INTERNAL_PUBLIC_KEYS has no key of ${name}`;
  }
}

/** Whether only this machine reaches what listens there. */
const staysHere = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'));

import type { KafkaConfig } from 'kafkajs';
import type { KafkaAccess } from '@bourse/platform';

/** Settings of every client of Kafka: the brokers' addresses, how we verify them, and how we authenticate. */
export function kafkaAddress(
  brokers: readonly string[],
  access?: KafkaAccess,
): Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'> {
  const { ssl = false, ca = null, sasl = null } = access ?? {};
  return {
    brokers: [...brokers],
    ...(ssl ? { ssl: ca === null ? true : trusting(ca) } : {}),
    ...(sasl ? { sasl: saslOf(sasl) } : {}),
  };
}

/** The client copies these settings for each connection, and so reads the file each time. */
const trusting = (file: NonNullable<KafkaAccess['ca']>): { readonly ca: string[] } => ({
  get ca() {
    return [file.read()];
  },
});

/** The library's type distinguishes the mechanisms, so each is named. */
function saslOf({ mechanism, username, password }: NonNullable<KafkaAccess['sasl']>): NonNullable<KafkaConfig['sasl']> {
  switch (mechanism) {
    case 'plain':
      return { mechanism, username, password };
    case 'scram-sha-256':
      return { mechanism, username, password };
    case 'scram-sha-512':
      return { mechanism, username, password };
  }
}

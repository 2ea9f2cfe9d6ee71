import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { partsOf } from '../config/setting-kinds.js';
import { dataKeyOf, type DataKey } from './data-seal.js';

/** Settings under which an exchange signs, seals or hashes. All have check values in the database (`secretChecks`). */
export const SECRET_NAMES_OF_INSTALL = [
  'JWT_SECRET',
  'INTERNAL_SECRET',
  'PASSWORD_PEPPER',
  'ANSWER_SECRET',
  'WALLET_MIDDLEWARE_SECRET',
  'WALLET_KEY_SECRET',
  'TICK_KEY_SECRET',
] as const;

/** The shortest secret of a production install, in bytes: a key of 256 bits. */
const BYTES_MIN = 32;
/** The fewest different characters of a secret; sixteen random bytes as hex nearly always have more. */
const DIFFERENT_MIN = 10;
/** Placeholders that examples, pages and tests put where a secret belongs. */
const PLACEHOLDER =
  /replace[-_ ]?me|change[-_ ]?(me|this|it)|example|placeholder|(demo|your|my|test|some)[-_ ]?(secret|key|password|pepper)|insert[-_ ]|<[^>]*>|secret[-_ ]here|0123456789|abcdefgh|password|qwertz|qwerty/i;

/**
 * The reason why a text may not be a secret of a production install, as the end of a sentence; null: it may. The value
 * is never repeated.
 */
export function weaknessOf(name: string, value: string): string | null {
  if (PLACEHOLDER.test(value) || value.toUpperCase().includes(name)) return 'is a placeholder that everybody can read';
  if (Buffer.byteLength(value) < BYTES_MIN) return `must have at least ${BYTES_MIN} bytes`;
  if (new Set(value).size < DIFFERENT_MIN) return 'has too few different characters to be random';
  if (isRepetition(value)) return 'is one short text again and again';
  return null;
}

/** True if the text repeats its beginning, from half of it at the latest. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) if (text.startsWith(text.slice(period))) return true;
  return false;
}

type Given = Readonly<Record<string, string | undefined>>;

/**
 * Sentences about secrets that a production install must not have (rule HARD-203): placeholders, short and simple ones,
 * and one text for two purposes; passwords in addresses too, when they are placeholders.
 */
export function* weakSecrets(given: Given): Generator<string> {
  const owners = new Map<string, string>();
  const named: readonly (readonly [name: string, says: string, value: string | undefined])[] = [
    ...SECRET_NAMES_OF_INSTALL.map((name) => [name, name, given[name]] as const),
    ...partsOf(given['DATA_KEYS'] ?? '')
      .map(dataKeyOf)
      .filter(({ secret }) => secret !== '')
      .map(({ id, secret }) => ['DATA_KEYS', `DATA_KEYS has ${id}, which`, secret] as const),
  ];
  for (const [name, says, value] of named) {
    if (value === undefined) continue;
    const weakness = weaknessOf(name, value);
    if (weakness !== null) yield `${says} ${weakness}; make one with: openssl rand -base64 32`;
    const other = owners.get(value);
    if (other !== undefined) yield `${says} is the same as ${other}; each secret must be one of its own`;
    owners.set(value, other ?? name);
  }
  // A token under an old secret is still valid: an attacker who guesses that secret can sign in as any user.
  for (const old of partsOf(given['JWT_SECRETS_OLD'] ?? '')) {
    const weakness = weaknessOf('JWT_SECRET', old);
    if (weakness !== null) yield `JWT_SECRETS_OLD has one that ${weakness}; leave it out, and everybody signs in again`;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !/(_URL|PASSWORD|DATA_KEYS)$/.test(name)) continue;
    const password = /_URL$/.test(name) ? passwordIn(value) : value;
    if (/replace[-_ ]?me|change[-_ ]?me/i.test(password)) yield `${name} has a placeholder for its password`;
  }
}

function passwordIn(address: string): string {
  return URL.canParse(address) ? decodeURIComponent(new URL(address).password) : '';
}

/** Settings that may be in a file of their own, as the secrets of Docker and Kubernetes are. */
const MAY_BE_A_FILE =
  /^(?:[A-Z_]*(?:SECRET|PEPPER|SECRETS?_OLD|PEPPERS_OLD|INTERNAL_KEY|DATA_KEYS)|(?:DATABASE|DATABASE_OWNER|REDIS|SMTP|SMS|CHAIN_[A-Z]+)_URL|DATABASE_LOGINS)$/;

/**
 * The settings with what `<NAME>_FILE` names in place of `<NAME>`, for secrets and for addresses that hold passwords.
 * Line ends at the end of the file do not count. `problems` lists by name the files that cannot be read, are empty, or
 * are set beside the plain setting.
 */
export function withSecretFiles(given: Given): {
  readonly values: Record<string, string>;
  readonly problems: string[];
} {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const name = key.replace(/_FILE$/, '');
    if (name === key || !MAY_BE_A_FILE.test(name)) {
      values[key] = value;
      continue;
    }
    values[key] = value;
    if (given[name] !== undefined) {
      problems.push(`${name} and ${key} are both set; only one of them can hold`);
      continue;
    }
    try {
      const content = readFileSync(resolve(value), 'utf8').replace(/[\r\n]+$/, '');
      if (content === '') problems.push(`${key} names an empty file`);
      else {
        values[name] = content;
        delete values[key];
      }
    } catch (error) {
      problems.push(`${key} names a file that cannot be read: ${(error as Error).message}`);
    }
  }
  return { values, problems };
}

/**
 * The check values by which a secret is recognised without revealing it: that of the present one, and those of the
 * secrets it may replace.
 */
export interface SecretCheck {
  readonly value: string;
  readonly old: readonly string[];
  /** How a person replaces it, as the end of a sentence. */
  readonly rotation: string;
}

/**
 * Secrets under which data is stored or tokens are issued that a new secret does not open: the old secret must be given
 * with the new one.
 */
const SEALING_SECRETS: Readonly<Record<string, string>> = {
  JWT_SECRET: 'JWT_SECRETS_OLD',
  INTERNAL_SECRET: 'INTERNAL_SECRETS_OLD',
  PASSWORD_PEPPER: 'PASSWORD_PEPPERS_OLD',
  WALLET_KEY_SECRET: 'WALLET_KEY_SECRET_OLD',
};

/** Before the id of a data key: a text sealed under an id opens under no other secret of that id. */
const DATA_KEY = 'DATA_KEYS:';

/**
 * Check values of the secrets that are used, by name, and of each data key by its id. `given` may list old ones as
 * `<NAME>_OLD` or `<NAME>S_OLD`, with commas between them.
 */
export function secretChecks(
  used: Readonly<Record<string, string>>,
  given: Given,
  dataKeys: readonly DataKey[] = [],
): Readonly<Record<string, SecretCheck>> {
  const ofNames = Object.fromEntries(
    Object.entries(used)
      .filter(([, secret]) => secret !== '')
      .map(([name, secret]) => {
        const old = partsOf(given[`${name}_OLD`] ?? given[`${name}S_OLD`] ?? '');
        return [
          name,
          {
            value: checkValue(name, secret),
            old: old.map((part) => checkValue(name, part)),
            rotation:
              SEALING_SECRETS[name] === undefined
                ? `to replace it on purpose: npx bourse secrets --accept ${name}`
                : `to replace it, set the old one as ${SEALING_SECRETS[name]} beside the new one`,
          },
        ];
      }),
  );
  const ofKeys = dataKeys.map(({ id, secret }): [string, SecretCheck] => [
    `${DATA_KEY}${id}`,
    {
      value: checkValue(`${DATA_KEY}${id}`, secret),
      old: [],
      rotation: 'to replace it, put a new one with an id of its own before it (docs/data-keys.md)',
    },
  ]);
  return { ...ofNames, ...Object.fromEntries(ofKeys) };
}

/**
 * Why another secret of this name is not taken on purpose, as a sentence, or null: the install may forget by what it
 * knows a secret only where nothing is kept under it.
 */
export function acceptRefusal(name: string): string | null {
  if (name.startsWith('DATA_KEYS'))
    return `${name} opens what lies in the database: put a new key with an id of its own before it.`;
  if (!(SECRET_NAMES_OF_INSTALL as readonly string[]).includes(name)) return `There is no secret ${name}.`;
  const old = SEALING_SECRETS[name];
  if (old === undefined) return null;
  return `${name} opens what lies in the database or what people hold: set the old one as ${old} beside the new one.`;
}

/** An HMAC of a constant: a secret of 32 random bytes cannot be derived from it. */
function checkValue(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`bourse check value of ${name}`).digest('base64url');
}

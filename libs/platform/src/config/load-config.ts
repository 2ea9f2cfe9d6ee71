import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AuthorityFile } from '../security/authorities.js';
import { secretChecks, weakSecrets, withSecretFiles } from '../security/secrets.js';
import { makeServiceKey, publicKeyOf, ServiceKeys } from '../security/service-keys.js';
import { SECRET_OWNERS, SERVICE_NAMES } from './services.js';
import { Config } from './config.js';
import { environment, type Env, type FileSetting, type SecretName } from './environment.js';
import { keptSecret } from './kept-secret.js';
import { conflicts } from './setting-conflicts.js';

/** A setting is missing or wrong. The message names every bad variable with its reason; secrets are not repeated. */
export class ConfigError extends Error {
  /** For programs that do not share our classes. */
  readonly forPeople = true;

  constructor(readonly problems: readonly string[]) {
    super(`The settings do not fit:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Reads and checks the environment; `overrides` are values that the runner determined itself (the address of a database
 * it has started). On a demo install missing secrets are made once and kept, readable by their owner only, in
 * `DATA_DIR/secrets`. A secret may be in a file that `<NAME>_FILE` names. A `tool` needs only the secrets that it
 * lists, none is ever made, and settings that only a serving process needs are not checked. Throws `ConfigError`
 * [EDGE_SERVICE-001].
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  overrides: Readonly<Record<string, string>> = {},
  { tool }: { readonly tool?: readonly SecretName[] } = {},
): Config {
  const { values: given, problems: unread } = withSecretFiles(
    Object.fromEntries(
      Object.entries({ ...env, ...overrides }).filter(([, value]) => value !== undefined && value !== ''),
    ),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
    const others = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)));
    throw new ConfigError([
      ...unread,
      ...(given['BOURSE_DEV'] === '1' ? [] : weakSecrets(others)),
      ...parsed.error.issues.map(
        (issue) => `${issue.path.join('.')} ${issue.message}${shown(String(issue.path[0]), given)}`,
      ),
    ]);
  }
  const values = parsed.data;
  const problems = [...unread, ...(tool ? [] : conflicts(values))];
  if (!values.BOURSE_DEV) problems.push(...weakSecrets(given));
  const fromFile = <T>(name: FileSetting, read: (file: string) => T): T | null => {
    const file = values[name];
    if (file === undefined) return null;
    try {
      return read(resolve(file));
    } catch (error) {
      problems.push(`${name} names a file that cannot be read: ${(error as Error).message}`);
      return null;
    }
  };
  const config = new Config(
    values,
    (name) => {
      if (!takes(values, name)) return '';
      const value = values[name];
      if (value !== undefined) return value;
      if (Object.hasOwn(given, `${name}_FILE`)) return ''; // its file was named above
      const dataDir = resolve(values.DATA_DIR);
      if (values.BOURSE_DEV && (!tool || existsSync(join(dataDir, 'secrets', name))))
        return problems.length === 0 ? keptSecret(dataDir, name) : '';
      if (tool && !tool.includes(name)) return '';
      problems.push(
        values.BOURSE_DEV
          ? `${name} is missing, and ${join(dataDir, 'secrets')} has none: give the one that the exchange runs with`
          : `${name} is missing; set it to 32 random bytes (openssl rand -base64 ` +
              `32), or ${name}_FILE to a file that holds them`,
      );
      return '';
    },
    {
      textOf: (name) => fromFile(name, (file) => readFileSync(file, 'utf8')),
      authoritiesOf: (name) => fromFile(name, (file) => new AuthorityFile(file)),
    },
    () => keysOf(values),
    (used, dataKeys) => secretChecks(used, given, dataKeys),
  );
  if (values.INTERNAL_KEY !== undefined && problems.length === 0) {
    try {
      config.keys();
    } catch (error) {
      problems.push(`INTERNAL_KEY does not fit INTERNAL_PUBLIC_KEYS: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Whether this process uses a secret: in the distributed run a service has its own alone, so that an attacker in it
 * learns no other.
 */
const takes = ({ BOURSE_RUN, BOURSE_SERVICE }: Env, name: SecretName): boolean =>
  BOURSE_RUN === 'embedded' || (SECRET_OWNERS[name] as readonly string[]).includes(BOURSE_SERVICE);

function keysOf(env: Env): ServiceKeys {
  if (env.INTERNAL_KEY !== undefined)
    return new ServiceKeys(env.BOURSE_SERVICE, env.INTERNAL_KEY, env.INTERNAL_PUBLIC_KEYS);
  if (!env.BOURSE_DEV) throw new Error('INTERNAL_KEY is not set: this process can neither ask others nor be asked');
  const names = new Set([...SERVICE_NAMES, ...Object.keys(env.BOURSE_SERVICES), env.BOURSE_SERVICE]);
  const own = (name: string): string => keptSecret(resolve(env.DATA_DIR), `INTERNAL_KEY.${name}`, makeServiceKey);
  return new ServiceKeys(
    env.BOURSE_SERVICE,
    own(env.BOURSE_SERVICE),
    Object.fromEntries([...names].map((name) => [name, publicKeyOf(own(name))])),
  );
}

function shown(name: string, given: Readonly<Record<string, string | undefined>>): string {
  const value = given[name];
  return value === undefined || /SECRET|PEPPER|PASSWORD|INTERNAL_KEY|DATA_KEYS|URL/.test(name)
    ? ''
    : ` (it is ${JSON.stringify(value)})`;
}

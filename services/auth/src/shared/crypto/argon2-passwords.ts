import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import { hash, hashRaw, verify, type Options } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { normalizePassword } from '@bourse/contract';
import { Config } from '@bourse/platform';
import { Passwords, type Lane } from '../application/ports/passwords.js';
import type { Person, StoredPassword } from '../application/ports/people.js';
import { fundPasswordsInside, PASSWORD_LENGTH } from '../domain/password.js';
import { HashQueue } from './hash-queue.js';

/** argon2id (the package's default kind) with the parameters of invariants §5. */
const ARGON2: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const QUEUE_MAX = 20;
/** The default lane (operators, seeds): one shared turn among the strangers. */
const NOBODY: Lane = { known: false, key: '' };
const COMMON_COUNT = 3_000;
/** Separates the id of the pepper from the encoded hash, which begins with `$`. */
const MARK = ':';

/** The pepper is applied first: with a leaked table alone nobody can try fund passwords of six characters. */
const peppered = (password: string, pepper: string): string =>
  createHmac('sha256', pepper).update(password).digest('base64url');
/** Identifies a pepper without revealing it. */
const pepperId = (pepper: string): string =>
  createHash('sha256').update(`bourse pepper id\n${pepper}`).digest('hex').slice(0, 8);

@Injectable()
export class Argon2Passwords extends Passwords {
  readonly common: ReadonlySet<string> = new Set(
    dictionary['passwords-common']
      .filter(({ length }) => length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max)
      .slice(0, COMMON_COUNT),
  );
  private readonly queue = new HashQueue(Math.max(1, availableParallelism() - 1), QUEUE_MAX);
  private dummy: Promise<string> | undefined;
  /** Cost of a new hash. Unrelated tests lower it; an old hash carries its own parameters. */
  private readonly cost = ARGON2;
  private readonly log = new Logger('Passwords');

  /** By id, the current one first. */
  private readonly peppers: ReadonlyMap<string, string>;
  private readonly current: string;

  constructor(private readonly config: Config) {
    super();
    this.current = pepperId(config.passwordPepper);
    this.peppers = new Map(
      [config.passwordPepper, ...config.passwordPeppersOld].map((pepper) => [pepperId(pepper), pepper]),
    );
  }

  hash(password: string, lane = NOBODY): Promise<string> {
    return this.queue.run(lane, () => this.hashed(normalizePassword(password)));
  }

  hashLogin(password: string, lane = NOBODY): Promise<StoredPassword> {
    return this.queue.run(lane, async () => {
      const salt = randomBytes(16);
      const hints: string[] = [];
      const normalized = normalizePassword(password);
      for (const part of fundPasswordsInside(normalized)) hints.push(await this.hint(salt, part));
      // Sorted by value, so that the order does not reveal their positions in the password.
      return {
        hash: await this.hashed(normalized),
        hintSalt: salt.toString('base64url'),
        hints: hints.sort(),
      };
    });
  }

  async verify(stored: string | null, password: string, lane = NOBODY): Promise<boolean> {
    this.dummy ??= hash(randomBytes(32).toString('base64url'), this.cost);
    const against = stored ?? (await this.dummy);
    const right = await this.queue.run(lane, () => this.fitsInAnyForm(against, password));
    return right && stored !== null;
  }

  async isInside(
    { hintSalt, hints }: Pick<Person, 'hintSalt' | 'hints'>,
    fundPassword: string,
    lane = NOBODY,
  ): Promise<boolean> {
    if (hints.length === 0) return false;
    const salt = Buffer.from(hintSalt, 'base64url');
    const own = await this.queue.run(lane, async () => {
      const made: string[] = [];
      // The hints do not name their pepper, so every pepper is tried.
      for (const pepper of this.peppers.values()) made.push(await this.hint(salt, fundPassword, pepper));
      return made.map((text) => Buffer.from(text));
    });
    return hints.some((known) =>
      own.some((hint) => known.length === hint.length && timingSafeEqual(Buffer.from(known), hint)),
    );
  }

  async isOutdated(stored: string, password: string, lane = NOBODY): Promise<boolean> {
    if (!stored.startsWith(`${this.current}${MARK}`)) return true;
    const normalized = normalizePassword(password);
    return normalized !== password && !(await this.queue.run(lane, () => this.fits(stored, normalized)));
  }

  /** The id of the pepper and the encoded hash. */
  private async hashed(password: string): Promise<string> {
    return `${this.current}${MARK}${await hash(peppered(password, this.config.passwordPepper), this.cost)}`;
  }

  /** A hash made before passwords were normalized is over the form that was sent. */
  private async fitsInAnyForm(stored: string, password: string): Promise<boolean> {
    const normalized = normalizePassword(password);
    if (await this.fits(stored, normalized)) return true;
    return normalized !== password && (await this.fits(stored, password));
  }

  /** A hash that names its pepper is verified once; earlier hashes name none, and every pepper is tried. */
  private async fits(stored: string, password: string): Promise<boolean> {
    const at = stored.indexOf(MARK);
    const [id, encoded] = at > 0 ? [stored.slice(0, at), stored.slice(at + 1)] : [null, stored];
    if (id !== null && !this.peppers.has(id))
      this.log.error(`a password is hashed under the pepper ${id}, which PASSWORD_PEPPERS_OLD does not have`);
    // Under a removed pepper no password is right; the work is done nevertheless, so that the time reveals nothing.
    const tried = id === null ? [...this.peppers.values()] : [this.peppers.get(id) ?? this.config.passwordPepper];
    for (const pepper of tried) if (await verify(encoded, peppered(password, pepper))) return true;
    return false;
  }

  private async hint(salt: Buffer, part: string, pepper = this.config.passwordPepper): Promise<string> {
    return (await hashRaw(peppered(`part|${part}`, pepper), { ...this.cost, salt })).toString('base64url');
  }
}

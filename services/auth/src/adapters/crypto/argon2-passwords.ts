import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, hashRaw, verify, type Options } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { Config } from '@bourse/platform';
import { Passwords, type Lane, type Person, type StoredPassword } from '../../application/ports.js';
import { fundPasswordsInside, PASSWORD_LENGTH } from '../../domain/password.js';
import { HashQueue } from './hash-queue.js';

export { PasswordsBusy } from './hash-queue.js';

/** argon2id (the package's default kind) with the figures of invariants §5. */
const ARGON2: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const QUEUE_MAX = 20;
/** Whoever says nothing of themselves (operators, seeds) has one turn among the strangers. */
const NOBODY: Lane = { known: false, key: '' };
const COMMON_COUNT = 3_000;

@Injectable()
export class Argon2Passwords extends Passwords {
  readonly common: ReadonlySet<string> = new Set(
    dictionary['passwords-common']
      .filter(({ length }) => length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max)
      .slice(0, COMMON_COUNT),
  );
  private readonly queue = new HashQueue(Math.max(1, availableParallelism() - 1), QUEUE_MAX);
  private dummy: Promise<string> | undefined;

  constructor(private readonly config: Config) {
    super();
  }

  hash(password: string, lane = NOBODY): Promise<string> {
    return this.queue.run(lane, () => hash(this.peppered(password), ARGON2));
  }

  hashLogin(password: string, lane = NOBODY): Promise<StoredPassword> {
    return this.queue.run(lane, async () => {
      const salt = randomBytes(16);
      const hints: string[] = [];
      for (const part of fundPasswordsInside(password)) hints.push(await this.hint(salt, part));
      // In order of their value: their place in the password is nobody's business.
      return {
        hash: await hash(this.peppered(password), ARGON2),
        hintSalt: salt.toString('base64url'),
        hints: hints.sort(),
      };
    });
  }

  async verify(stored: string | null, password: string, lane = NOBODY): Promise<boolean> {
    this.dummy ??= hash(randomBytes(32).toString('base64url'), ARGON2);
    const against = stored ?? (await this.dummy);
    const right = await this.queue.run(lane, () => verify(against, this.peppered(password)));
    return right && stored !== null;
  }

  async isInside(
    { hintSalt, hints }: Pick<Person, 'hintSalt' | 'hints'>,
    fundPassword: string,
    lane = NOBODY,
  ): Promise<boolean> {
    if (hints.length === 0) return false;
    const hint = Buffer.from(
      await this.queue.run(lane, () => this.hint(Buffer.from(hintSalt, 'base64url'), fundPassword)),
    );
    return hints.some((known) => known.length === hint.length && timingSafeEqual(Buffer.from(known), hint));
  }

  private async hint(salt: Buffer, part: string): Promise<string> {
    return (await hashRaw(this.peppered(`part|${part}`), { ...ARGON2, salt })).toString('base64url');
  }

  /** The pepper first: a leaked table alone lets nobody try fund passwords of six characters. */
  private peppered(password: string): string {
    return createHmac('sha256', this.config.passwordPepper).update(password).digest('base64url');
  }
}

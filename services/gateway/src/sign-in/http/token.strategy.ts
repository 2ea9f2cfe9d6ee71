import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Config, TokenKeys, type Caller } from '@bourse/platform';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { Sessions, type Claims } from '../application/sessions.js';

interface Bearer {
  readonly token: string;
}

/**
 * Verifies tokens: signature and age by passport-jwt, then the session that they name. Calls (`EdgeGuard`)
 * and socket handshakes use it.
 */
@Injectable()
export class TokenStrategy extends PassportStrategy(Strategy, 'token') {
  constructor(
    private readonly sessions: Sessions,
    config: Config,
  ) {
    const keys = new TokenKeys(config);
    super({
      jwtFromRequest: ({ token }: Bearer) => token,
      secretOrKeyProvider: (_bearer: Bearer, token: string, done: (error: Error | null, secret?: Buffer) => void) => {
        const key = keys.secretOf(token);
        if (key === null) done(new Error('signed with an unknown key'));
        // jsonwebtoken, which gets it from passport-jwt, accepts key objects too; the types allow only text and bytes.
        else done(null, key as unknown as Buffer);
      },
      algorithms: ['HS256'],
      passReqToCallback: true,
    });
  }

  /**
   * The caller of a token; null for one that is forged or too old, or whose session has ended; with `fresh`, the record
   * in auth now. Throws `Unavailable` when auth cannot be reached.
   */
  callerOf(token: string, fresh = false): Promise<Caller | null> {
    // A token whose session is cached was verified before.
    const known = fresh ? null : this.sessions.remembered(token);
    if (known) return Promise.resolve(known);
    if (!this.sessions.mayBe(token)) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      // The strategy is passed itself, since names are global to the process. Passport stores the outcome of a request
      // on the strategy, so each request has its own: with a shared one a token could get another's caller.
      const own = Object.create(this) as passport.Strategy;
      const run = passport.authenticate(own, { session: false }, (error: Error | null, caller?: Caller | false) =>
        error ? reject(error) : resolve(caller || null),
      ) as (bearer: Bearer, response: object, next: (error: Error) => void) => void;
      run({ token }, {}, reject);
    });
  }

  /** Run by passport when signature and age are valid. */
  validate({ token }: Bearer, claims: Claims): Promise<Caller | null> {
    return this.sessions.ask(token, claims);
  }
}

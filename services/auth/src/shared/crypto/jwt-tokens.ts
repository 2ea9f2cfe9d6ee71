import { createHash, randomBytes, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JsonWebTokenError, JwtSecretRequestType, JwtService } from '@nestjs/jwt';
import { Config, TokenKeys } from '@bourse/platform';
import { Tokens } from '../application/ports/session-tokens.js';
import { SESSION } from '../domain/session.js';

interface Claims {
  readonly sid: string;
  readonly sub: string;
}

@Injectable()
export class JwtTokens extends Tokens {
  private readonly jwt: JwtService;
  private readonly keys: TokenKeys;

  constructor(config: Config) {
    super();
    this.keys = new TokenKeys(config);
    const { id, secret } = this.keys.newest;
    // The session's row decides about the lifetime, by the database's time: a machine with a wrong clock must not end
    // sessions.
    this.jwt = new JwtService({
      secretOrKeyProvider: (request, token): KeyObject =>
        request === JwtSecretRequestType.SIGN ? secret : (this.keys.secretOf(token as string) ?? secret),
      signOptions: { algorithm: 'HS256', keyid: id, expiresIn: SESSION.lifeMs / 1_000 },
      verifyOptions: { algorithms: ['HS256'], ignoreExpiration: true },
    });
  }

  issue(subject: number | string): { token: string; tokenHash: string; publicId: string } {
    const secret = randomBytes(32).toString('base64url');
    return {
      token: this.jwt.sign({ sid: secret, sub: String(subject) } satisfies Claims),
      tokenHash: hashed(secret),
      publicId: randomBytes(9).toString('base64url'),
    };
  }

  read(token: string): string | null {
    try {
      const { sid } = this.jwt.verify<Claims>(token);
      return typeof sid === 'string' ? hashed(sid) : null;
    } catch (error) {
      if (error instanceof JsonWebTokenError) return null;
      throw error;
    }
  }
}

const hashed = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

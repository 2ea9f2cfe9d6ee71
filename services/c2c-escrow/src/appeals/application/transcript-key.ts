import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Config } from '@bourse/platform';
import type { TranscriptSigner } from '../domain/transcript.js';
import { TranscriptKeys } from './ports.js';

const SEED_BYTES = 32;
/** The PKCS #8 prefix of an Ed25519 private key; its 32 bytes follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The Ed25519 key that signs transcripts. It is derived from the internal secret and stored nowhere; its public part is
 * recorded at each start, so that old transcripts stay verifiable after a change of the secret.
 */
@Injectable()
export class TranscriptKey implements TranscriptSigner, OnApplicationBootstrap {
  readonly publicKey: string;
  private readonly key: ReturnType<typeof createPrivateKey>;

  constructor(
    private readonly keys: TranscriptKeys,
    private readonly clock: Clock,
    config: Config,
  ) {
    const seed = hkdfSync('sha256', config.internalSecret, '', 'bourse c2c transcript', SEED_BYTES);
    this.key = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed)]), format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(this.key).export({ format: 'jwk' });
    this.publicKey = Buffer.from(x as string, 'base64url').toString('base64');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.keys.record(this.publicKey, this.clock.real());
  }

  /** In another thread: a document with many pictures is long. */
  sign(bytes: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      sign(null, bytes, this.key, (error, signature) =>
        error ? reject(error) : resolve(signature.toString('base64')),
      );
    });
  }
}

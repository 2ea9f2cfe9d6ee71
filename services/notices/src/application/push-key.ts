import { createECDH } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Config, DataSeal, keyIdOf, SealBroken } from '@bourse/platform';
import { PushStore, type StoredPushKey } from './push-ports.js';

const PURPOSE = 'push key';

/** The key pair by which push services know this install (RFC 8292), base64url. */
export interface PushKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The install's key pair for push services: made once, its private part sealed in the database under `INTERNAL_SECRET`.
 * After a change of the secret it is sealed again; a key that cannot be opened is replaced, and all devices register
 * again.
 */
@Injectable()
export class PushKey {
  private readonly logger = new Logger('PushKey');
  private readonly seal: DataSeal;
  private pair: Promise<PushKeyPair> | undefined;

  constructor(
    private readonly store: PushStore,
    config: Config,
  ) {
    this.seal = new DataSeal([], [config.internalSecret, ...config.internalSecretsOld]);
  }

  /** Reads the pair, or makes it. */
  read(): Promise<PushKeyPair> {
    this.pair ??= this.load().catch((error: unknown) => {
      this.pair = undefined;
      throw error;
    });
    return this.pair;
  }

  private async load(): Promise<PushKeyPair> {
    const stored = (await this.store.readKey()) ?? (await this.store.addKey(this.makeKey()));
    try {
      const pair = this.openPair(stored);
      if (keyIdOf(stored.sealed) !== this.seal.newest) await this.store.replaceKey(stored, this.sealPair(pair));
      return pair;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.logger.warn(`a new key of push messages replaces one that does not open: ${error.message}`);
      await this.store.replaceKey(stored, this.makeKey());
      return this.openPair((await this.store.readKey()) ?? stored);
    }
  }

  private makeKey(): StoredPushKey {
    const ecdh = createECDH('prime256v1');
    const publicKey = ecdh.generateKeys('base64url');
    // A private key with leading zeros is exported shorter.
    const privateKey = Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
    return this.sealPair({ publicKey, privateKey });
  }

  private sealPair({ publicKey, privateKey }: PushKeyPair): StoredPushKey {
    return { publicKey, sealed: this.seal.seal(PURPOSE, Buffer.from(privateKey, 'base64url'), publicKey) };
  }

  private openPair({ publicKey, sealed }: StoredPushKey): PushKeyPair {
    return { publicKey, privateKey: this.seal.open(PURPOSE, sealed, publicKey).toString('base64url') };
  }
}

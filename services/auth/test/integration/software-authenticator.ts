import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { PasskeyCreation, PasskeyRequest } from '@bourse/contract';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

/** CBOR of what an attestation has: small integers, texts, bytes and maps. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number): Buffer =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** Deviations from a correct answer, for answers that must be refused. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly crossOrigin?: boolean;
  readonly type?: string;
  /** Format and statement of an attestation that nobody requested. */
  readonly attestation?: readonly [string, ReadonlyMap<string, Cbor>];
}

/** An authenticator with one ES256 credential, as a browser would pass its answers on. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  counter = 0;
  private userHandle = '';
  private readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;

  constructor(private readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    this.coseKey = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  /** The answer to `navigator.credentials.create`, as JSON text. */
  create({ challenge, rp, user }: PasskeyCreation, wrong: Deviation = {}): string {
    this.userHandle = user.id;
    const credential = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.authData(wrong.rpId ?? rp.id, ATTESTED, wrong),
      Buffer.alloc(16),
      Buffer.from([credential.length >> 8, credential.length & 255]),
      credential,
      this.coseKey,
    ]);
    const [fmt, attStmt] = wrong.attestation ?? (['none', new Map<string, Cbor>()] as const);
    const attestation = new Map<string, Cbor>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ]);
    return this.answer({
      clientDataJSON: this.client('webauthn.create', challenge, wrong).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal', 'unheard-of'],
    });
  }

  /** The answer to `navigator.credentials.get`, as JSON text; the counter grows by one. */
  get({ challenge, rpId }: PasskeyRequest, wrong: Deviation = {}): string {
    this.counter = wrong.counter ?? this.counter + 1;
    const authData = this.authData(wrong.rpId ?? rpId, 0, wrong);
    const client = this.client('webauthn.get', challenge, wrong);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(client)]))
      .sign(this.privateKey);
    const handle = wrong.userHandle === undefined ? this.userHandle : wrong.userHandle;
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(handle === null ? {} : { userHandle: handle }),
    });
  }

  private authData(rpId: string, flags: number, { unverified }: Deviation): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([PRESENT | (unverified ? 0 : VERIFIED) | flags]), counter]);
  }

  private client(type: string, challenge: string, wrong: Deviation): Buffer {
    const { origin = this.origin, crossOrigin = false } = wrong;
    return Buffer.from(JSON.stringify({ type: wrong.type ?? type, challenge, origin, crossOrigin }));
  }

  private answer(response: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    });
  }
}

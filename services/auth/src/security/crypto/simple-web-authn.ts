import { Injectable } from '@nestjs/common';
import {
  PASSKEY_TRANSPORTS,
  type PasskeyCreation,
  type PasskeyDescriptor,
  type PasskeyRequest,
  type PasskeyTransport,
} from '@bourse/contract';
import { Config, Refused } from '@bourse/platform';
import type { Passkey } from '../../shared/application/ports/passkeys.js';
import { WebAuthn, type NewPasskeyAnswer, type PasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import { PASSKEY } from '../../shared/domain/passkey.js';
import { relyingParty, type RelyingParty } from '../domain/relying-party.js';

const NAME = 'Bourse';
/** EdDSA, ECDSA and RSA, each with SHA-256 or better: what authenticators make. */
const ALGORITHMS = [-8, -7, -257];
/** A browser may send any text; only these are stored. */
const isTransport = (name: string): name is PasskeyTransport =>
  (PASSKEY_TRANSPORTS as readonly string[]).includes(name);

/** Loaded with the first passkey: the library is larger than everything else that a sign-in needs. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** An opaque name of the account, which an authenticator keeps and returns; it contains no contact. */
const handleOf = (userId: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(`u${userId}`, 'utf8'));

@Injectable()
export class SimpleWebAuthn extends WebAuthn {
  private readonly known: RelyingParty | null;

  constructor(config: Config) {
    super();
    this.known = relyingParty(config);
  }

  async creation(
    person: { readonly id: number; readonly name: string },
    existing: readonly Passkey[],
  ): Promise<PasskeyCreation> {
    const { id: rpID } = this.party();
    const { generateRegistrationOptions } = await library();
    const { rp, user, challenge, pubKeyCredParams } = await generateRegistrationOptions({
      rpName: NAME,
      rpID,
      userID: handleOf(person.id),
      userName: person.name,
      userDisplayName: person.name,
      timeout: PASSKEY.challengeLifeMs,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return {
      rp: { id: rp.id ?? rpID, name: rp.name },
      user,
      challenge,
      pubKeyCredParams: pubKeyCredParams.map(({ alg, type }) => ({ alg, type })),
      timeout: PASSKEY.challengeLifeMs,
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    };
  }

  async request(allowed: readonly Passkey[]): Promise<PasskeyRequest> {
    const { id: rpID } = this.party();
    const { generateAuthenticationOptions } = await library();
    const { challenge } = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
    return {
      challenge,
      rpId: rpID,
      timeout: PASSKEY.challengeLifeMs,
      allowCredentials: allowed.map(descriptorOf),
      userVerification: 'required',
    };
  }

  challengeOf({ response }: NewPasskeyAnswer | PasskeyAnswer): string | null {
    try {
      const client: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
      const { challenge, crossOrigin } = client as { challenge?: unknown; crossOrigin?: unknown };
      // No page of ours is ever framed by another one.
      return typeof challenge === 'string' && crossOrigin !== true ? challenge : null;
    } catch {
      return null;
    }
  }

  async verifyNew(
    answer: NewPasskeyAnswer,
    challenge: string,
  ): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'> | null> {
    const { id: rpID, origins } = this.party();
    const transports = (answer.response.transports ?? []).filter(isTransport);
    try {
      if (!(await isUnattested(answer.response.attestationObject))) return null;
      const { verifyRegistrationResponse } = await library();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: {
          ...answer,
          response: { ...answer.response, transports },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        expectedOrigin: [...origins],
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified) return null;
      const { id, publicKey, counter } = registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
    } catch {
      // The library throws for every wrong answer.
      return null;
    }
  }

  async verify({ response, ...answer }: PasskeyAnswer, challenge: string, passkey: Passkey): Promise<number | null> {
    const { id: rpID, origins } = this.party();
    const { userHandle, ...signed } = response;
    if (userHandle && userHandle !== Buffer.from(handleOf(passkey.userId)).toString('base64url')) return null;
    try {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...answer, response: signed, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: [...origins],
        expectedRPID: rpID,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
        requireUserVerification: true,
      });
      return verified ? authenticationInfo.newCounter : null;
    } catch {
      return null;
    }
  }

  private party(): RelyingParty {
    if (this.known === null) throw new Refused('passkey.unavailable');
    return this.known;
  }
}

const descriptorOf = ({ id, transports }: Passkey): PasskeyDescriptor => ({
  id,
  type: 'public-key',
  transports: [...transports],
});

/**
 * Whether an attestation has no certificate. None was requested; the library would fetch the revocation list that a
 * certificate names, so that a caller could choose an address for us to call.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers();
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

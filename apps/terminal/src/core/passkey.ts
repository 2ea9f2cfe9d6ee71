import type { PasskeyCreation, PasskeyRequest } from '@bourse/contract';

/** Whether this browser can use passkeys on this page: they are bound to a name, which an address is not. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(window.location.hostname);

const library = () => import('@simplewebauthn/browser');

/** The answer of a passkey to a challenge, as JSON text; null: the person declined, or no passkey fits. */
export async function signWithPasskey(request: PasskeyRequest): Promise<string | null> {
  const { startAuthentication } = await library();
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON: request }));
  } catch (failure) {
    console.warn('no passkey was used', failure);
    return null;
  }
}

/** Creates a passkey and returns it as JSON text, or the message key of the failure. */
export async function createPasskey(
  creation: PasskeyCreation,
): Promise<{ readonly passkey: string } | { readonly problem: 'passkey.used' | 'account.passkeyCancelled' }> {
  const { startRegistration } = await library();
  try {
    return { passkey: JSON.stringify(await startRegistration({ optionsJSON: creation })) };
  } catch (failure) {
    console.warn('no passkey was made', failure);
    const isKnown = (failure as Error).name === 'InvalidStateError';
    return { problem: isKnown ? 'passkey.used' : 'account.passkeyCancelled' };
  }
}

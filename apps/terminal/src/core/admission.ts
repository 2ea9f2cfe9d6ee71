import type { UserInfo } from '@bourse/contract';
import type { Guard } from '../paths.js';

/**
 * The result of an address for a visitor: its screen, the sign-in, nothing while the profile is read, or a refusal.
 */
export type Admission = 'screen' | 'signIn' | 'wait' | 'refused';

interface Visitor {
  readonly signedIn: boolean;
  /** Undefined until it is read. */
  readonly info: Pick<UserInfo, 'is_seller' | 'is_acceptor' | 'is_region'> | undefined;
  /** The profile could not be read: then the calls of the screen are checked by the server alone. */
  readonly infoFailed: boolean;
}

const ROLES = { seller: 'is_seller', acceptor: 'is_acceptor', agent: 'is_region' } as const satisfies Partial<
  Record<Guard, keyof NonNullable<Visitor['info']>>
>;

/** Decides whether a person may see a screen. It spares people a page of refusals; the server enforces the rights. */
export function admit(guard: Guard, { signedIn, info, infoFailed }: Visitor): Admission {
  switch (guard) {
    case 'open':
    case 'points':
      return 'screen';
    case 'user':
      return signedIn ? 'screen' : 'signIn';
    case 'seller':
    case 'acceptor':
    case 'agent':
      if (!signedIn) return 'signIn';
      if (!info) return infoFailed ? 'screen' : 'wait';
      return info[ROLES[guard]] === 1 ? 'screen' : 'refused';
  }
}

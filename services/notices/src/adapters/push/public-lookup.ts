import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '@bourse/platform';

/** An address of a name is not public: nothing is sent to it. */
export class NotPublic extends Error {}

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
type LookupAll = (hostname: string, options: { readonly all: true }, answer: Answer) => void;

/**
 * Looks a name up and answers with its addresses if all of them are public, else with `NotPublic`. The connection goes
 * to an address that was checked: a name whose address changes after a check has no effect.
 */
export const lookupPublicBy =
  (lookupAll: LookupAll): LookupFunction =>
  (hostname, options, answer) => {
    lookupAll(hostname, { ...options, all: true }, (error, found) => {
      if (error) return answer(error, '', 0);
      const [first] = found;
      if (!first || !found.every(({ address }) => isPublicAddress(address)))
        return answer(new NotPublic('the address of a push service is not public'), '', 0);
      return options.all === true ? answer(null, found) : answer(null, first.address, first.family);
    });
  };

/** By the resolver of the system. */
export const lookupPublic = lookupPublicBy(lookup);

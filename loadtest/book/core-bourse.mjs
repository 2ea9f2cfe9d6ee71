// The product's book behind the interface of a core (README.md): uncapped market orders, no owners, as the workload has
// none.
import { LadderBook } from '@bourse/matching';
import { coreOf } from './core.mjs';

export const Core = coreOf(() => new LadderBook());

import { installHost } from './host.js';

// Before anything else of the exchange is loaded: code that names `randomBytes` gets it once and for all.
installHost();
const { runSeed } = await import('./run.js');
export { runSeed };
export type { Outcome } from './run.js';
export { describe as describePlan } from './fault-plan.js';

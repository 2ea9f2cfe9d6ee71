export { testDatabases, type TestDatabases } from './test-databases.js';
export { SimulatedClock } from './simulated-clock.js';
export { LedgerState, FakeLedger as FakeLedger } from './fake-ledger.js';
export { callDeadline, eventually, eventuallySatisfied, testTimeoutMs } from './eventually.js';
export { decimalText, userIds } from './arbitraries.js';
export { entityDifferences } from './entity-differences.js';
export { freePort } from './free-port.js';
export { fieldsThatKeepHiddenCharacters } from './hidden-characters.js';
export { outgrown, PageCount } from './page-count.js';

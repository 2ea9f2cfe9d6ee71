// The common base of tests of screens in a real browser, of the terminal's and of the console's. No program imports it.
export { barriersOf, lineOf, seriousBarriers } from './barriers.js';
export { BASE, call, codeFor, demoSession, PASSWORD, PIXEL, read, signIn, until, upload } from './calls.js';
export {
  certified,
  credit,
  deposit,
  FUND,
  funded,
  merchant,
  newcomer,
  operatorToken,
  withBank,
  type Person,
} from './people.js';
export { fitsWidth, saveScreenshot, screenBarriers } from './screens.js';
export { expect, newContext, required, test } from './test.js';
export { settled, walkTo } from './walk.js';

// What tests of screens in a real browser stand on, of the terminal's and of the console's. No program imports it.
export { barriersOf, lineOf, seriousBarriers } from './barriers.js';
export { openBrowser, required } from './launch.js';
export { settled, walkTo } from './walk.js';

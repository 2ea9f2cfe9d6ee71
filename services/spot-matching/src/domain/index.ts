/** The order book alone, without a framework or any I/O. */
export * from './book.js';
export { LadderBook, type LadderLimits } from './ladder-book.js';
export { PlainBook } from './plain-book.js';
export { toLimbs } from './quote.js';

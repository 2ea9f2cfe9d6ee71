/** The order book and the rules of one market, without a framework or any I/O: the exchange and practice share them. */
export * from './amend.js';
export * from './book.js';
export * from './exits.js';
export * from './ladder-book.js';
export * from './market-engine.js';
export * from './market.js';
export * from './order.js';
export * from './order-view.js';
export * from './pair.js';
export * from './plain-book.js';
export * from './quote.js';
export * from './rolling-hash.js';
export * from './trail.js';

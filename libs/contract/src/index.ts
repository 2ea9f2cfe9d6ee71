export * from './envelope.js';
export * from './limits.js';
export * from './book-checksum.js';
export * from './catalog.js';
export * from './demo.js';
export * from './answers/index.js';
export * from './networks.js';
export * from './solvency-proof.js';

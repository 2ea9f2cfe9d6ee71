export * from './rounding.js';
export * from './decimal.js';
export * from './partition.js';
export * from './compare.js';

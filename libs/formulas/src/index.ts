export * from './percent.js';
export * from './spot.js';
export * from './withdrawal.js';

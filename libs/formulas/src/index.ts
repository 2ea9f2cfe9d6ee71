export * from './c2c.js';
export * from './insurance.js';
export * from './lever.js';
export * from './micro.js';
export * from './percent.js';
export * from './spot.js';
export * from './withdrawal.js';

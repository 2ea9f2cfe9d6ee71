export * from './receipt.js';

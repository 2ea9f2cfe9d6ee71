export * from './client.js';
export * from './errors.js';
export * from './intent.js';
export * from './keys.js';
export * from './pages.js';
export * from './reaction.js';

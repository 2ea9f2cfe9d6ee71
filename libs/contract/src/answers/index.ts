export * from './values.js';
export * from './market.js';
export * from './spot.js';
export * from './wallet.js';
export * from './account.js';
export * from './notices.js';
export * from './service.js';
export * from './push.js';

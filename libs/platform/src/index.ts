export * from './alarms.js';
export * from './clock.js';
export * from './config.js';
export * from './metrics.js';
export * from './readiness.js';
export * from './http/call.js';
export * from './http/context.js';
export * from './http/refused.js';

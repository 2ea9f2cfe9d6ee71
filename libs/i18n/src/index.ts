export * from './locales.js';
export * from './interpolate.js';
export * from './translate.js';

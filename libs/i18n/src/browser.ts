// The exports for browsers: the tables, without the file reader of the server side. The terminal loads bundles by Vite,
// area by area.
export * from './locales.js';
export * from './interpolate.js';

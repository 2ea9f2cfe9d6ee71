// The common base of the terminal and the operators' console besides parts (`@bourse/ui`) and calls
// (`@bourse/api-client`).
export * from './again.js';
export * from './clean-html.js';
export * from './connection.js';
export * from './lazy-screen.js';
export * from './submission.js';
export * from './texts.js';
export * from './toasts.js';
export * from './use-submission.js';
export * from './wait-at-most.js';

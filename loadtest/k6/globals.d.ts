/** Globals of k6 that its own types leave to those of browsers. */
declare const console: Record<'log' | 'warn' | 'error', (...values: unknown[]) => void>;

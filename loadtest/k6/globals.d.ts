/** What k6 gives every script and its types leave to those of browsers. */
declare const console: Record<'log' | 'warn' | 'error', (...values: unknown[]) => void>;

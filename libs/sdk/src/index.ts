export { Bourse } from './client.js';
export type { BourseOptions, CallName, CallOptions, NewOrder, OrderName } from './client.js';
export { ApiError, GATE_KEYS, NetworkError, newIntent, SubscriptionRefused } from './errors.js';
export { sign } from './sign.js';
export { Stream } from './stream.js';
export type { BookLevel, LiveBook, OrderAnswer, OrderMessage, PrivateName, StreamStatus } from './stream.js';
export type { Calls, Schemas } from '@bourse/contract/calls';
export type { Messages } from './types.generated.js';

export { ApiError, Bourse, NetworkError, newIntent } from './client.js';
export type { BourseOptions, CallName, CallOptions } from './client.js';
export { sign } from './sign.js';
export { Stream } from './stream.js';
export type { LiveBook, PrivateName } from './stream.js';
export type { Calls, Messages, Schemas } from './types.generated.js';

import { AsyncLocalStorage } from 'node:async_hooks';

/** Name of the API key that signed the handshake of the socket, for calls over sockets. */
const programs = new AsyncLocalStorage<string>();

/** Runs a call of a socket as the program with this API key; null: as a person with a token, or as a guest. */
export const runAsProgram = <T>(apiKey: string | null, run: () => Promise<T>): Promise<T> =>
  apiKey === null ? run() : programs.run(apiKey, run);

/** Name of the API key of the current call's socket; undefined: a call by HTTP, or over a socket without a key. */
export const programOfSocket = (): string | undefined => programs.getStore();

import { AsyncLocalStorage } from 'node:async_hooks';

/** The program whose API key signed the handshake of the socket that a call came by. */
const programs = new AsyncLocalStorage<string>();

/** Runs a call of a socket as the program with this key; null: a person's, who has a token, or a guest's. */
export const runAsProgram = <T>(apiKey: string | null, run: () => Promise<T>): Promise<T> =>
  apiKey === null ? run() : programs.run(apiKey, run);

/** Name of the API key whose socket the current call came by; undefined: it came by HTTP, or by another socket. */
export const programOfSocket = (): string | undefined => programs.getStore();

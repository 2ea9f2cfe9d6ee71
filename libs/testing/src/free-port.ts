import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems assign to connections, which could take the port meanwhile. */
const [FIRST, END] = [20_000, 32_000];
/** Ports that this process was given: their servers may not listen yet. */
const given = new Set<number>();

/**
 * A port on which no process listens, for a server that is started a moment later. No port is returned twice to one
 * process.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (given.has(port)) continue;
    given.add(port);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS, type Fault } from './fault.js';

/** 5. Nothing in Redis is durable: every service tolerates its loss. */
export const redisFaults: Fault = {
  number: 5,
  code: 'FAULT-050',
  name: 'Redis: flush, kill, stop',
  modes: ['distributed'],
  short: ['distributed'],
  run: async (run) => {
    const { world } = run;
    const { redis } = world;
    await run.underLoad('flushed', { boundMs: BOUNDS.service }, async () => {
      for (let n = 0; n < (run.short ? 2 : 10); n++) {
        await command(redis.port, 'FLUSHALL');
        await sleep(100 + run.random(400));
      }
    });
    await run.underLoad('killed and started again', { boundMs: BOUNDS.service }, async (row) => {
      for (let n = 0; n < (run.short ? 1 : 4); n++) {
        await redis.kill();
        row.kills += 1;
        await sleep(300 + run.random(1_500));
        await redis.start();
        await sleep(500);
      }
    });
    await run.underLoad('away for 10 s', { boundMs: BOUNDS.service }, async (row, traders) => {
      await redis.stop();
      const before = traders.accepted;
      await sleep(run.short ? 5_000 : 10_000);
      // Answers are queried by id meanwhile: trading continues.
      if (traders.accepted === before) row.wrong.push('nothing was accepted while Redis was away');
      row.notes.push(`${traders.accepted - before} accepted without it`);
    });
    if (run.short) return;
    await run.underLoad('stopped (SIGSTOP) for 8 s', { boundMs: BOUNDS.service }, async () => {
      redis.signal('SIGSTOP');
      await sleep(8_000);
      redis.signal('SIGCONT');
    });
  },
};

function command(port: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write(`${text}\r\n`));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS, type Fault } from './fault.js';
import { servicesWithFault } from './tools.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const JUMPS: readonly (readonly [string, number])[] = [
  ['+5 min', 5 * MINUTE],
  ['-5 min', -5 * MINUTE],
  ['-1 day', -24 * HOUR],
  ['+25 h', 25 * HOUR],
];

/**
 * 8. The wall clock of one process jumps: it must report not ready, accept nothing wrong, and continue when the clock
 * is right again.
 */
export const clockJumps: Fault = {
  number: 8,
  code: 'FAULT-080',
  name: 'clock jumps of one service',
  modes: ['embedded', 'distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    for (const [name, offset] of JUMPS) {
      const services = world.mode === 'embedded' ? world.services : servicesWithFault('clock');
      const service = run.pick(services);
      await run.underLoad(`${service} ${name}`, { boundMs: BOUNDS.service }, async (row, traders) => {
        const part = world.part(service);
        world.moveClock(service, offset);
        const from = Date.now();
        while (Date.now() - from < 15_000 && (await part.isReady())) await sleep(200);
        if (await part.isReady())
          row.wrong.push(`${service} still calls itself ready after 15 s with its clock ${name}`);
        else row.notes.push(`not ready after ${Date.now() - from} ms`);
        const before = traders.accepted;
        await sleep(5_000);
        row.notes.push(`${traders.accepted - before} accepted meanwhile`);
        world.moveClock(service, 0);
        const back = Date.now();
        await part.ready(30_000);
        return back;
      });
    }
  },
};

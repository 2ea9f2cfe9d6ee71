import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS, type Fault } from './fault.js';
import { succeeds } from './servers.js';
import { serviceTools, servicesWithFault } from './tools.js';
import { EXCHANGE } from './world.js';

/** Fewer than any process has open: nothing can be opened any more, whatever is closed. */
const DESCRIPTORS = 16;

/** 12. No memory and no descriptors: a process may die of it, and must not lie of it. */
export const starved: Fault = {
  number: 12,
  code: 'FAULT-120',
  name: 'out of memory and of descriptors',
  modes: ['embedded', 'distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    if (process.platform !== 'linux' || !succeeds('prlimit', ['--version'])) return;
    const victims = world.mode === 'embedded' ? [EXCHANGE] : servicesWithFault('path');
    for (const service of victims) {
      const part = world.part(service);
      await run.underLoad(
        `${service} may open no more descriptors`,
        { boundMs: BOUNDS.service, edgeSilent: service === serviceTools.EDGE || service === EXCHANGE },
        async (row) => {
          const { pid } = part;
          const [, soft = '1024', hard = '1024'] =
            /Max open files\s+(\d+)\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
          succeeds('prlimit', ['--pid', String(pid), `--nofile=${DESCRIPTORS}:${hard}`]);
          // Whatever it loses now it cannot open again.
          world.ownerLines(service).database.cutAll();
          world.line(service).redis?.cutAll();
          await sleep(8_000);
          if (part.pid === pid) succeeds('prlimit', ['--pid', String(pid), `--nofile=${soft}:${hard}`]);
          else row.notes.push('it ended and was started again');
        },
      );
      await run.underLoad(`${service} has no memory`, { boundMs: BOUNDS.service }, async (row) => {
        const { pid } = part;
        const used = Number(/VmData:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
        succeeds('prlimit', ['--pid', String(pid), `--data=${used}:${used}`]);
        for (const until = Date.now() + 10_000; part.pid === pid && Date.now() < until;) await sleep(50);
        if (part.pid === pid) {
          part.kill();
          row.notes.push('it lived on in what it had, and was killed');
        } else row.notes.push('it died of it');
        row.kills += 1;
        return Date.now();
      });
      await run.underLoad(`${service} starts with too small a heap`, { boundMs: BOUNDS.service }, async (row) => {
        part.nodeArgs = ['--max-old-space-size=24'];
        part.kill();
        row.kills += 1;
        await sleep(8_000);
        const { restarts } = part;
        row.notes.push(`${restarts} starts so far`);
        part.nodeArgs = [];
        part.kill();
        row.kills += 1;
        return Date.now();
      });
    }
  },
};

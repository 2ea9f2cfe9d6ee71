import type { Fault } from './fault-plan.js';
import type { SimulatedProcess } from './simulator.js';
import type { World } from './world.js';

/** Lets one fault of the plan happen, and its end. */
export function strike(world: World, fault: Fault): void {
  const { simulator, conditions, running } = world;
  simulator.note(`FAULT ${JSON.stringify(fault)}`);
  const { now } = simulator;
  switch (fault.kind) {
    case 'kill':
      if (!running.get(fault.process)?.process.alive) return;
      world.kill(fault.process);
      simulator.after(fault.downMs, `boot ${fault.process}`, () => {
        if (!running.get(fault.process)?.process.alive) world.boot(fault.process);
      });
      return;
    case 'stop': {
      const process = running.get(fault.process)?.process;
      if (process) process.stoppedUntil = Math.max(process.stoppedUntil, now + fault.forMs);
      return;
    }
    case 'clock':
      return change(world, fault.process, fault.forMs, (process, on) => {
        process.skew = on ? fault.byMs : 0;
      });
    case 'lag':
      return change(world, fault.process, fault.forMs, (process, on) => {
        process.slowness = on ? fault.byMs : 0;
      });
    case 'database-restart':
      world.server.restart();
      conditions.databaseDownUntil = Math.max(conditions.databaseDownUntil, now + fault.downMs);
      return;
    case 'database-slow':
      conditions.databaseSlowMs = fault.byMs;
      simulator.after(fault.forMs, 'database quick again', () => {
        conditions.databaseSlowMs = 0;
      });
      return;
    case 'broker-down':
      conditions.brokerDownUntil = Math.max(conditions.brokerDownUntil, now + fault.forMs);
      return;
    case 'replies-lost':
      conditions.repliesLostUntil = Math.max(conditions.repliesLostUntil, now + fault.forMs);
      return;
  }
}

function change(
  { running, simulator }: World,
  name: string,
  ms: number,
  set: (process: SimulatedProcess, on: boolean) => void,
): void {
  const process = running.get(name)?.process;
  if (!process) return;
  set(process, true);
  simulator.after(ms, `${name} as before`, () => set(process, false));
}

/** Ends all faults: starts dead processes and resumes stopped ones. */
export function heal(world: World): void {
  Object.assign(world.conditions, {
    healed: true,
    databaseDownUntil: 0,
    databaseSlowMs: 0,
    brokerDownUntil: 0,
    repliesLostUntil: 0,
  });
  for (const [name, { process }] of [...world.running]) {
    Object.assign(process, { skew: 0, slowness: 0 });
    if (!process.alive) world.boot(name);
  }
  world.simulator.note('HEALED');
}

// Several copies of services in the distributed run of one machine: how many, and the balancer before them.
import { createConnection, createServer } from 'node:net';

/** More copies do not fit one machine, and show no other behaviour. */
const COPIES_MAX = 4;

/**
 * `gateway=2,spot-matching=2`: how many copies of each service, by name.
 *
 * @param manifests of the services; they name the services of which one copy may run
 * @throws Error with a sentence for a person
 */
export function readCopies(text, manifests) {
  const copies = new Map();
  for (const part of text.split(',').filter(Boolean)) {
    const [, name, digits] = /^([a-z0-9-]+)=(\d+)$/.exec(part.trim()) ?? [];
    const count = Number(digits);
    if (name === undefined) throw new Error(`${part} is not <service>=<count>: --copies gateway=2,spot-matching=2`);
    const manifest = manifests.find((one) => one.name === name);
    if (!manifest) throw new Error(`There is no service ${name}: ${manifests.map((one) => one.name).join(', ')}.`);
    if (count < 1 || count > COPIES_MAX) throw new Error(`${name} may have 1 to ${COPIES_MAX} copies here.`);
    if (count > 1 && manifest.deploy.single) throw new Error(`${name} must not run twice.`);
    copies.set(name, count);
  }
  return copies;
}

/**
 * Opens a balancer on 127.0.0.1: connections take turns among `targets`, ports of this machine, and a target that
 * refuses is passed over. Returns `{ close() }`.
 */
export async function openBalancer(port, targets) {
  let turn = 0;
  const open = new Set();
  const listener = createServer({ noDelay: true, pauseOnConnect: true }, (caller) => {
    open.add(caller);
    caller.on('close', () => open.delete(caller));
    caller.on('error', () => caller.destroy());
    turn += 1;
    const order = targets.map((_, index) => targets[(turn + index) % targets.length]);
    connect(caller, order);
  });
  await new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const caller of open) caller.destroy();
      }),
  };
}

function connect(caller, [target, ...others]) {
  if (target === undefined || caller.destroyed) {
    caller.destroy();
    return;
  }
  const server = createConnection({ port: target, host: '127.0.0.1', noDelay: true });
  let connected = false;
  server.once('connect', () => {
    connected = true;
    caller.pipe(server).pipe(caller);
  });
  server.on('error', () => {
    if (connected) caller.destroy();
    else connect(caller, others);
  });
  server.on('close', () => connected && caller.destroy());
  caller.on('close', () => server.destroy());
}

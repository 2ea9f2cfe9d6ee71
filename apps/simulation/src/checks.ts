import type { AnySimulatedService, SimulatedEnd } from '@bourse/ledger-client';
import type { SagaRow } from '@bourse/persistence';
import type { Clients } from './clients.js';
import { checkIntents } from './intents.js';
import { checkPushes } from './pushes.js';
import { SERVICES } from './services.generated.js';
import { checkStreams, SCHEMAS, sentIn } from './streams.js';
import type { World } from './world.js';

/** A problem, with the broken invariant (docs/proofs/simulation.md). */
export type Problem = string;

/** Everything the world must be once it is quiet. */
export function checkAll(world: World, clients: Clients): Problem[] {
  return [
    ...clients.intents.problems,
    ...checkServices(world, clients),
    ...checkStreams(world.server),
    ...checkPushes(world.server, SCHEMAS),
    ...clients.deadlines.check(world.server),
    ...checkIntents(clients.intents.list),
    ...[...world.raisedAlarms()]
      .filter(([name]) => !name.startsWith('consumer:'))
      .map(([name, detail]) => `I9 alarm ${name}: ${detail}`),
    ...world.errors
      .filter((text) => /invariant|fatal/.test(text))
      .map((text) => `error in the log: ${text.slice(0, 300)}`),
  ];
}

/** Checks that pass even while the house cannot pay. */
export function auditAll(world: World, clients: Clients): Problem[] {
  const endOf = endsOf(world, clients);
  return SERVICES.flatMap((one) =>
    (one.audit?.(endOf(one)) ?? []).map((text) => `${text} (${one.service}, without money of the house)`),
  );
}

/** Returns what the checks of a service are given. */
function endsOf(world: World, clients: Clients): (one: AnySimulatedService) => SimulatedEnd {
  const { server } = world;
  const common = {
    users: clients.users,
    intents: clients.intents.list,
    holds: new Map(SERVICES.flatMap(({ holds }) => [...(holds?.(server) ?? [])])),
    moves: SERVICES.flatMap((one) => one.moves?.(world.outsideView(one)) ?? []),
    journals: SERVICES.flatMap(({ journals }) => journals?.(server) ?? []),
    sent: (stream: string, number: number) => sentIn(server, stream, number),
  };
  return (one) => ({
    ...world.outsideView(one),
    ...common,
    calls: clients.calls.of(one.service),
    checkpoint: world.checkpoints.get(one.service),
  });
}

/** Runs each service's own checks; no saga stays open, and every call that begins one has its final answer. */
function checkServices(world: World, clients: Clients): Problem[] {
  const { server } = world;
  const problems: Problem[] = [];
  const endOf = endsOf(world, clients);
  for (const one of SERVICES) {
    const { service, schema, sagas, check } = one;
    problems.push(...check(endOf(one)).map((text) => `${text} (${service})`));
    if (!sagas) continue;
    for (const { name, object } of server.rows<SagaRow>(`${schema}.saga`))
      problems.push(`I3 saga ${name} ${object} of ${service} is under way when all is quiet`);
    for (const [key, answer] of server.entries<{ state: string }>(`${schema}.answers`))
      if (answer.state === 'open') problems.push(`I6 the call ${key} has no final answer when all is quiet`);
  }
  return problems;
}

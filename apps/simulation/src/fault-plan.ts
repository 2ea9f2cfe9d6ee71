import { type Random } from './random.js';
import { SERVICES } from './services.generated.js';

/** The faults of one run, drawn from its seed. Times are ms from the start of the load. */
export interface FaultPlan {
  readonly seed: string;
  readonly mode: 'embedded' | 'distributed';
  readonly ledgerPartitions: number;
  /** The service that people crowd; undefined: they use all alike. */
  readonly crowd: string | undefined;
  /** The service whose accounts of the house are emptied while people make calls; undefined: none. */
  readonly dry: string | undefined;
  /** Partitions of the topics of each service that has a choice. */
  readonly partitions: Readonly<Record<string, number>>;
  /** Chances for each statement, record, reply or hand-over. */
  readonly chances: {
    readonly cut: number;
    readonly cutCommit: number;
    readonly lostReply: number;
    readonly handOver: number;
    readonly lostCall: number;
    readonly send: number;
    readonly slow: number;
  };
  readonly faults: readonly Fault[];
}
export type Fault =
  | { readonly at: number; readonly kind: 'kill'; readonly process: string; readonly downMs: number }
  | { readonly at: number; readonly kind: 'stop'; readonly process: string; readonly forMs: number }
  | {
      readonly at: number;
      readonly kind: 'clock';
      readonly process: string;
      readonly byMs: number;
      readonly forMs: number;
    }
  | {
      readonly at: number;
      readonly kind: 'lag';
      readonly process: string;
      readonly byMs: number;
      readonly forMs: number;
    }
  | { readonly at: number; readonly kind: 'database-restart'; readonly downMs: number }
  | { readonly at: number; readonly kind: 'database-slow'; readonly byMs: number; readonly forMs: number }
  | { readonly at: number; readonly kind: 'broker-down'; readonly forMs: number }
  | { readonly at: number; readonly kind: 'replies-lost'; readonly forMs: number };

/** When the last fault of a plan is over by itself, ms. */
export const endOf = ({ faults }: FaultPlan): number =>
  Math.max(LOAD_MS, ...faults.map((fault) => fault.at + ('forMs' in fault ? fault.forMs : fault.downMs)));

/** How long the clients trade, ms. */
export const LOAD_MS = 7_000;
const EMBEDDED = ['exchange'];
/** The process of all services that have none of their own, and of what the gateway does with the streams. */
export const SHARED = 'views';
/** The processes of a service's own, `<schema>-a`, `<schema>-b` … */
export const ownProcesses = ({ schema, copies = 0 }: { readonly schema: string; readonly copies?: number }): string[] =>
  Array.from({ length: copies }, (_, number) => `${schema}-${String.fromCharCode('a'.charCodeAt(0) + number)}`);
export const processesOf = (mode: FaultPlan['mode']): readonly string[] =>
  mode === 'embedded' ? EMBEDDED : [...SERVICES.flatMap(ownProcesses), SHARED];

export function planOf(
  seed: string,
  random: Random,
  { crowd, dry }: { readonly crowd?: string | undefined; readonly dry?: string | undefined } = {},
): FaultPlan {
  const mode = random.chance(0.5) ? 'embedded' : 'distributed';
  const processes = processesOf(mode);
  const calm = random.chance(0.15); // some runs without small faults, so that the big ones are seen alone
  const chance = (most: number): number => (calm || random.chance(0.4) ? 0 : random.next() * most);
  const kinds: readonly Fault['kind'][] = [
    'kill',
    'kill',
    'kill',
    'stop',
    'stop',
    'clock',
    'lag',
    'database-restart',
    'database-slow',
    'replies-lost',
    ...(mode === 'distributed' ? ['broker-down' as const] : []),
  ];
  const faults = Array.from({ length: random.int(6) }, (): Fault => {
    const at = Math.round(random.between(200, LOAD_MS));
    const process = random.pick(processes);
    const ms = (from: number, to: number): number => Math.round(random.between(from, to));
    const kind = random.pick(kinds);
    switch (kind) {
      case 'kill':
        return { at, kind, process, downMs: ms(0, 3_000) };
      case 'stop':
        return {
          at,
          kind,
          process,
          forMs: random.chance(0.3) ? ms(50, 900) : random.chance(0.2) ? ms(9_000, 20_000) : ms(1_000, 9_000),
        };
      case 'clock':
        return {
          at,
          kind,
          process,
          byMs: random.pick([-86_400_000, -300_000, -3_000, -500, 500, 3_000, 300_000, 90_000_000]),
          forMs: ms(200, 4_000),
        };
      case 'lag':
        return { at, kind, process, byMs: ms(1, 60), forMs: ms(200, 2_000) };
      case 'database-restart':
        return { at, kind, downMs: random.chance(0.3) ? ms(8_000, 20_000) : ms(0, 1_500) };
      case 'database-slow':
        return { at, kind, byMs: ms(20, 800), forMs: ms(200, 2_500) };
      case 'broker-down':
        return { at, kind, forMs: ms(100, 3_000) };
      case 'replies-lost':
        return { at, kind, forMs: ms(500, 4_000) };
    }
  });
  // Combined faults: the broker is down when a process dies that still had messages to send.
  for (const fault of [...faults])
    if (fault.kind === 'broker-down' && random.chance(0.5))
      faults.push({
        at: fault.at + Math.round(random.next() * fault.forMs),
        kind: 'kill',
        process: random.pick(processes),
        downMs: Math.round(random.between(0, 3_000)),
      });
  faults.sort((a, b) => a.at - b.at);
  return {
    seed,
    mode,
    crowd,
    dry,
    ledgerPartitions: random.pick([1, 1, 3]),
    partitions: Object.fromEntries(
      SERVICES.flatMap(({ service, partitions }) => (partitions ? [[service, random.pick(partitions)] as const] : [])),
    ),
    chances: {
      cut: chance(0.01),
      cutCommit: chance(0.06),
      lostReply: chance(0.3),
      handOver: chance(0.5),
      lostCall: chance(0.08),
      send: chance(0.08),
      slow: chance(0.03),
    },
    faults,
  };
}

/** One line a fault, for a person. */
export function describe(plan: FaultPlan): string {
  const chances = Object.entries(plan.chances)
    .filter(([, value]) => value > 0)
    .map(([name, value]) => `${name} ${(value * 100).toFixed(1)} %`)
    .join(', ');
  const partitions = Object.entries(plan.partitions).map(([service, count]) => `, ${count} of ${service}`);
  return [
    `${plan.mode}, ${plan.ledgerPartitions} partition${plan.ledgerPartitions > 1 ? 's' : ''} of the ledger` +
      `${partitions.join('')}${plan.crowd === undefined ? '' : `, a crowd at ${plan.crowd}`}` +
      `${plan.dry === undefined ? '' : `, no money for ${plan.dry}`}; ` +
      `chances: ${chances || 'none'}`,
    ...plan.faults.map(
      ({ at, kind, ...more }) =>
        `  ${String(at).padStart(5)} ms ${kind} ${Object.entries(more)
          .map(([name, value]) => `${name}=${String(value)}`)
          .join(' ')}`,
    ),
  ].join('\n');
}

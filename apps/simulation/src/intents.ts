import type { LedgerReply } from '@bourse/events';
import type {
  SimulatedAct,
  SimulatedAnswer,
  SimulatedFields,
  SimulatedIntent,
  SimulatedIntentKind,
  SimulatedPerson,
} from '@bourse/ledger-client';
import { contextOf, CALL_TIMEOUT_MS, type Callers } from './callers.js';
import { LOAD_MS } from './fault-plan.js';
import { SERVICES } from './services.generated.js';
import type { OutcomeSource, World } from './world.js';

/** Of a command that was last sent so long ago nothing can be on its way any more, ms. */
const FORGET_MS = 15_200;

/** An intent with all calls of its client and their answers. */
interface Intent extends Omit<SimulatedIntent, 'id'> {
  readonly bodyHash: string;
  /** The latest limit that any attempt has carried. */
  validUntil: number;
  lastAttemptAt: number;
  readonly outcomes: SimulatedAnswer[];
  resolved: LedgerReply | null | undefined;
}

const KINDS = new Map<string, { readonly service: string; readonly kind: SimulatedIntentKind<unknown> }>(
  SERVICES.flatMap(({ service, intents = {} }) =>
    Object.entries(intents).map(([name, kind]) => [name, { service, kind }] as const),
  ),
);
const ACTS: readonly SimulatedAct[] = SERVICES.flatMap(({ acts = [] }) => acts).sort((a, b) => a.below - b.below);

/** People with command ids: they do what the services offer, repeat, give up and ask later. */
export class Intents {
  /** Problems of answers at the time of their receipt. */
  readonly problems: string[] = [];
  private readonly all: Intent[] = [];
  private readonly told = new Map<string, string[]>();
  private serial = 0;

  constructor(
    private readonly world: World,
    private readonly callers: Callers,
  ) {}

  /** The latest limit that a command has carried, if a client has sent it. */
  limitOf(commandId: string): number | undefined {
    return this.all.find((intent) => intent.commandId === commandId)?.validUntil;
  }

  /** Runs the actions of one user until the load is over. */
  async live(user: number): Promise<void> {
    const { simulator } = this.world;
    const { random } = simulator;
    const end = simulator.now + LOAD_MS;
    const pace = random.between(100, 700);
    while (simulator.now < end) {
      await this.callers.pause(random.next() * pace);
      const die = random.next();
      const last = this.all.filter((intent) => intent.user === user).at(-1 - random.int(3));
      if (die < 0.06 && last) await this.attempt(last);
      else if (die < 0.09 && last) await this.otherBody(last);
      else if (die < 0.11 && last) await Promise.all([this.attempt(last), this.attempt(last)]);
      else await this.act(die, this.person(user, last));
    }
  }

  /** Asks for every outcome that is still unknown, as a client does once it is back. */
  async settleDown(): Promise<void> {
    const open = this.all.filter(({ outcomes }) => !outcomes.some(isFinal));
    await Promise.all(open.map((intent) => this.resolve(intent)));
  }

  /** All of them, as the checks see them. */
  get list(): readonly SimulatedIntent[] {
    return this.all.map((intent) => ({ ...intent, id: idOf(intent) }));
  }

  private person(user: number, last: Intent | undefined): SimulatedPerson {
    const { reference, config, simulator } = this.world;
    return {
      reference,
      config,
      user,
      random: simulator.random,
      last,
      told: (kind) => this.told.get(`${user} ${kind}`) ?? [],
      serial: () => (this.serial += 1),
    };
  }

  private async act(die: number, person: SimulatedPerson): Promise<void> {
    for (const { below, kind, draw } of ACTS) {
      const fields = die < below ? draw(person) : null;
      if (fields) return this.intend(person.user, kind, fields);
    }
  }

  private async intend(user: number, kind: string, fields: SimulatedFields): Promise<void> {
    const intent: Intent = {
      commandId: `c${(this.serial += 1)}`,
      user,
      kind,
      fields,
      bodyHash: JSON.stringify(fields),
      validUntil: 0,
      lastAttemptAt: 0,
      outcomes: [],
      resolved: undefined,
    };
    this.all.push(intent);
    const { random } = this.world.simulator;
    for (let tries = 0; tries < 4; tries++) {
      if (isFinal(await this.attempt(intent))) return;
      if (random.chance(0.4)) return; // gives up, and queries the command at the end
      await this.callers.pause(random.between(10, 1_500));
    }
  }

  private async attempt(intent: Intent): Promise<SimulatedAnswer> {
    const told = await this.perform(intent, intent.bodyHash, intent.fields);
    intent.outcomes.push(told);
    const { commandId, user, kind } = intent;
    const { simulator } = this.world;
    intent.lastAttemptAt = simulator.now;
    if (told.kind === 'ok') {
      const before = this.told.get(`${user} ${kind}`) ?? [];
      // A repeat by its client id may be answered from the order of an earlier call, whose answer was checked.
      if (told.extra['repeated'] !== 1 || !this.wasTold(user, told.id)) this.mustBeDurable(intent);
      this.told.set(`${user} ${kind}`, [...before, told.id]);
    }
    const detail = told.kind === 'ok' ? told.id : told.kind === 'refused' ? told.key : '';
    simulator.note(`${commandId} of ${user} ${kind} is told ${told.kind} ${detail}`);
    return told;
  }

  /** Whether a call of this user, of any kind, was answered with this id. */
  private wasTold(user: number, id: string): boolean {
    return [...this.told].some(([of, ids]) => of.startsWith(`${user} `) && ids.includes(id));
  }

  /** `ok` means durable: a client that gets it finds the effect. */
  private mustBeDurable({ commandId, kind: name, fields }: Intent): void {
    const { server } = this.world;
    const { kind } = kindOf(name);
    const done = kind.isDurable
      ? kind.isDurable(server, fields)
      : SERVICES.some(({ hasAccepted }) => hasAccepted?.(server, commandId));
    if (!done) this.problems.push(`I6 ${name} ${commandId} was told ok and is not durable`);
  }

  /** The same key for something else: it must never do anything once the first has its answer. */
  private async otherBody(intent: Intent): Promise<void> {
    const final = intent.outcomes.find(isFinal);
    const { kind } = kindOf(intent.kind);
    if (!final || !kind.otherFields) return;
    const fields = kind.otherFields(this.person(intent.user, intent));
    const told = await this.perform(intent, 'another body', fields);
    if (told.kind === 'ok')
      this.problems.push(`I6 ${intent.commandId} was final (${final.kind}) and was accepted again with another body`);
    if (told.kind === 'refused' && final.kind === 'ok' && told.key !== 'common.keyReused')
      this.problems.push(`I6 ${intent.commandId} with another body was refused as ${told.key}`);
  }

  private perform(intent: Intent, bodyHash: string, fields: SimulatedFields): Promise<SimulatedAnswer> {
    const { service, kind } = kindOf(intent.kind);
    return this.callers.call(service, (running, target) => {
      const context = contextOf(target, intent.commandId, bodyHash);
      intent.validUntil = Math.max(intent.validUntil, context.validUntil);
      return kind.run(running, intent.user, fields, context);
    });
  }

  private async resolve(intent: Intent): Promise<void> {
    const { simulator } = this.world;
    for (;;) {
      const reply = await this.readOutcome(intent.commandId);
      if (reply) {
        intent.resolved = reply;
        return;
      }
      // Not found is final once nothing of it can be on its way any more.
      if (reply === null && simulator.now - intent.lastAttemptAt >= FORGET_MS) {
        intent.resolved = null;
        return;
      }
      await this.callers.pause(
        reply === null ? Math.max(200, Math.min(5_000, FORGET_MS - (simulator.now - intent.lastAttemptAt))) : 500,
      );
    }
  }

  /** The stored answer of the service that has it; null: no service has it; undefined: a service did not answer. */
  private async readOutcome(commandId: string): Promise<LedgerReply | null | undefined> {
    let known: null | undefined = null;
    for (const source of this.world.outcomeSources()) {
      const reply = await this.readOutcomeFrom(source, commandId);
      if (reply) return reply;
      if (reply === undefined) known = undefined;
    }
    return known;
  }

  private readOutcomeFrom(
    found: OutcomeSource | undefined,
    commandId: string,
  ): Promise<LedgerReply | null | undefined> {
    const { simulator } = this.world;
    const { process } = this.callers;
    return new Promise<LedgerReply | null | undefined>((resolve) => {
      simulator.schedule(process, CALL_TIMEOUT_MS, 'no answer', () => resolve(undefined));
      if (!found) return;
      simulator.schedule(found.process, 1, 'outcome asked', () => {
        found.outcome(commandId).then(
          (reply) => {
            simulator.schedule(process, 1, 'outcome told', () => resolve(reply));
          },
          () => {
            simulator.schedule(process, 1, 'outcome open', () => resolve(undefined));
          },
        );
      });
    });
  }
}

const isFinal = ({ kind }: SimulatedAnswer): boolean => kind === 'ok' || kind === 'refused';

function kindOf(name: string): { readonly service: string; readonly kind: SimulatedIntentKind<unknown> } {
  const found = KINDS.get(name);
  if (!found) throw new Error(`no service has intents of the kind ${name}`);
  return found;
}

function idOf({ outcomes, resolved }: Intent): string | null {
  const ok = outcomes.find((one) => one.kind === 'ok');
  if (ok) return ok.id;
  if (!resolved?.ok) return null;
  const id = resolved.answer.extra?.['id'];
  return typeof id === 'string' ? id : '';
}

/** I6: of each intent, whatever it is: one answer, and none that contradicts another. */
export function checkIntents(intents: readonly SimulatedIntent[]): string[] {
  const problems: string[] = [];
  for (const { commandId, outcomes, resolved } of intents) {
    const finals = outcomes.filter(isFinal);
    const texts = new Set(
      finals.map((one) => ('id' in one ? `ok ${one.id}` : 'key' in one ? `refused ${one.key}` : '')),
    );
    if (texts.size > 1) problems.push(`I6 ${commandId} was told ${[...texts].join(' and ')}`);
    if (finals.length === 0 && resolved === undefined)
      problems.push(`I6 the outcome of ${commandId} never became known`);
    if (outcomes.length > 0 && outcomes.every((one) => one.kind === 'nothing') && resolved?.ok)
      problems.push(`I6 ${commandId} was unavailable each time and has happened`);
  }
  return problems;
}

import { z } from 'zod';
import { decimal, defineEvent, ms, opaque, userId } from '../define.js';
import { TOPICS } from '../topics.js';
import { ISSUER_NAMES } from './issuers.js';

/**
 * The answer to a caller, stored with the effect and returned for repeats for 7 days (invariants §2.1). The text is
 * made from `key` in the caller's language.
 */
export const StoredAnswer = z.object({
  type: z.enum(['ok', 'error', 'not', '996', '997', '555', '998']),
  key: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  field: z.string().optional(),
  /** Content of `message` where it is not a translated notice. */
  message: z.unknown().optional(),
  /** Fields beside `message`, such as `id` and `order`. */
  extra: opaque.optional(),
});
export type StoredAnswer = z.output<typeof StoredAnswer>;

/**
 * A movement of one currency from one account to another (`leg-account.ts`). `rest` is all that is left in the hold
 * that it leaves; `{max,min}` takes min(available, max) and is refused below min.
 */
export const Leg = z.object({
  from: z.string(),
  to: z.string(),
  currency: z.number().int().positive(),
  amount: z.union([decimal, z.literal('rest'), z.object({ max: decimal, min: decimal })]),
  /** Marks fees in the statement. */
  fee: z.boolean().optional(),
});
export type Leg = z.output<typeof Leg>;

/**
 * Legs that apply together or not at all. The id derives from object and transition (`trade:BTC/USDT:17`,
 * `order:42:release`).
 */
export const Journal = z.object({
  id: z.string().min(1).max(120),
  causeType: z.string(),
  causeId: z.string(),
  info: z.string().optional(),
  legs: z.array(Leg),
});
export type Journal = z.output<typeof Journal>;

/** A message to pass on in the transaction of the journal, or not at all. The ledger does not read it. */
export const Forward = z.object({
  topic: z.string(),
  partition: z.number().int().nonnegative(),
  message: z.object({ type: z.string(), key: z.string(), body: z.unknown() }),
});

/**
 * The stream that carries the outcome of a command to the saga that issued it (architecture §7). The issuer chooses the
 * names; the ledger returns them unchanged.
 */
export const ResultTo = z.object({
  topic: z.string().max(80),
  partition: z.number().int().nonnegative(),
  /** Name of the saga in its service, and the object it is about. */
  saga: z.string().min(1).max(60),
  object: z.string().min(1).max(120),
});
export type ResultTo = z.output<typeof ResultTo>;

/**
 * A command to the one writer of a user's partition. All journals apply, or none; a refusal is stored too where
 * `commandId` is given.
 */
export const LedgerCommandV1 = defineEvent({
  type: 'ledger.command',
  version: 1,
  topic: TOPICS.ledgerCommands,
  key: (command) => String(command.userId),
  schema: z.object({
    /** Hash of (user, call, key); absent for what comes from a stream, which drops repeats by its numbers. */
    commandId: z.string().max(80).optional(),
    /**
     * Second key of an order: `coid:<user>:<client_order_id>`. A hit answers the first order again with `repeated: 1`.
     */
    secondKey: z.string().max(120).optional(),
    /**
     * The id and all named holds are new with this message, so nothing is stored under them yet. The writer relies on
     * this only if the log delivers the message once; otherwise it looks them up.
     */
    isNew: z.literal(true).optional(),
    /** HMAC of the body: same id, other body is refused (`common.keyReused`). */
    bodyHash: z.string().optional(),
    issuer: z.enum(ISSUER_NAMES),
    /** Decides the partition and the user named in pushes; rights come from `onBehalfOf`. */
    userId,
    /**
     * The person whose call issued the command: only their money, and what the issuer's rows allow beside it, may be
     * moved. Null: the service acts by itself. Absent in messages of versions that did not know the field; see
     * `callerOf`.
     */
    onBehalfOf: userId.nullable().optional(),
    /** Limit of acceptance (real time, ms): a later command is refused. */
    validUntil: ms.optional(),
    /** Instance that waits for the reply. */
    replyTo: z.string().optional(),
    journals: z.array(Journal),
    forward: Forward.optional(),
    /**
     * The outcome, posted or refused, leaves as a row of a stream in the transaction of the journal or of the refusal.
     * A row of a stream that is refused stops its stream, unless it names where its result goes.
     */
    resultTo: ResultTo.optional(),
    /**
     * The answer to the caller when the command applies. Without journals it may be a refusal of the sender: it is
     * then kept like one of the ledger.
     */
    answer: StoredAnswer.optional(),
  }),
});
export type LedgerCommand = z.output<typeof LedgerCommandV1.schema>;

/**
 * The user on whose behalf a command is given; null: it acts for no user. Messages of earlier versions do not say:
 * there a command with an id was a person's, except those of the seed and of two operators.
 */
export function callerOf({ onBehalfOf, commandId, issuer, userId: user }: LedgerCommand): number | null {
  if (onBehalfOf !== undefined) return onBehalfOf;
  return commandId === undefined || issuer === 'seed' || issuer === 'operator' ? null : user;
}

/** The writer's reply, also the answer of `ledger.answer` (Ask) for a stored command. */
export interface LedgerReply {
  readonly commandId: string;
  readonly ok: boolean;
  readonly answer: StoredAnswer;
  readonly repeated: boolean;
  readonly secondKeyHit?: boolean;
  readonly held?: string;
  /** Copied from the command that it answers, if that had one. */ readonly bodyHash?: string;
}

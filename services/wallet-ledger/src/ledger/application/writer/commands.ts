import {
  callerOf,
  decode,
  LEDGER_SENDERS,
  LedgerCommandV1,
  parseLegAccount,
  RESULT_TOPICS,
  resultsTopic,
  type LedgerCommand,
  type Message,
} from '@bourse/events';
import type { ServiceName } from '@bourse/platform';
import { pow10, toUnits } from '@bourse/money';
import {
  houseOwner,
  type Amount,
  type Journal,
  type Leg,
  type Posting,
  type LegAccount,
} from '../../domain/journal.js';

/** A command read from the wire, with its postings in units. */
export interface ReadCommand {
  readonly command: LedgerCommand;
  readonly posting: Posting;
}
export type ReadResult =
  | { readonly ok: true; readonly read: ReadCommand }
  | {
      readonly ok: false;
      /** The sending service has no right to this command: it is dropped, whatever else it says. */
      readonly isForeign?: true;
      readonly error: string;
      readonly commandId: string | null;
      readonly replyTo: string | null;
      /** The saga to notify, where it is known: the command is then refused. */
      readonly asker?: Pick<LedgerCommand, 'resultTo' | 'userId'>;
    };

/** Meaning of the names in a command, in this partition. */
export interface DecoderContext {
  readonly partition: number;
  /** On a demo install auth may credit balances to users of load tests. */
  readonly isDemo?: boolean;
  /** Decimals of a currency; undefined when it is not in the catalog. */
  scaleOf(currency: number): number | undefined;
}

/** Why a service may not send a command [HARD-209]; null: it may. */
function foreignTo(
  author: ServiceName,
  { issuer, forward, resultTo }: LedgerCommand,
  { isDemo }: DecoderContext,
): string | null {
  const rights = LEDGER_SENDERS[author];
  if (!rights?.issuers.includes(issuer) || (rights.demoOnly && !isDemo))
    return `${author} has posted in the name of ${issuer}`;
  if (resultTo && resultTo.topic !== resultsTopic(author))
    return `${author} has asked for results to ${resultTo.topic}`;
  return forward && !rights.forwards.includes(forward.topic) ? `${author} has sent to ${forward.topic}` : null;
}

/**
 * Reads a message for the writer. `author` is the authenticated sending service. A command is foreign if this service
 * has no right to send it. A failure is a value: an unreadable command of the edge or of a saga is refused, any other
 * unreadable row stops its stream.
 */
export function readCommand(message: Message, context: DecoderContext, author?: ServiceName): ReadResult {
  const decoded = decode(LedgerCommandV1, message);
  if (!decoded.ok) {
    const { commandId, replyTo } = (message.body ?? {}) as { commandId?: unknown; replyTo?: unknown };
    return {
      ok: false,
      error: decoded.error,
      commandId: typeof commandId === 'string' ? commandId : null,
      replyTo: typeof replyTo === 'string' ? replyTo : null,
    };
  }
  const command = decoded.body;
  const wrong = author === undefined ? null : foreignTo(author, command, context);
  if (wrong !== null) return { ok: false, isForeign: true, error: wrong, commandId: null, replyTo: null };
  const { resultTo, userId, commandId = null, replyTo = null } = command;
  if (resultTo && !RESULT_TOPICS.includes(resultTo.topic))
    return { ok: false, error: `no service reads ${resultTo.topic}`, commandId, replyTo };
  try {
    return { ok: true, read: { command, posting: postingOf(command, context) } };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      ok: false,
      error: error.message,
      commandId,
      replyTo,
      ...(resultTo ? { asker: { resultTo, userId } } : {}),
    };
  }
}

function postingOf(command: LedgerCommand, context: DecoderContext): Posting {
  return {
    issuer: command.issuer,
    onBehalfOf: callerOf(command),
    journals: command.journals.map((journal): Journal => ({
      causeType: journal.causeType,
      causeId: journal.causeId,
      legs: journal.legs.map((leg) => legOf(leg, context)),
    })),
  };
}

function legOf(leg: LedgerCommand['journals'][number]['legs'][number], context: DecoderContext): Leg {
  const scale = context.scaleOf(leg.currency);
  if (scale === undefined) throw new RangeError(`currency ${leg.currency} is not in the catalog`);
  const amount: Amount =
    typeof leg.amount === 'object'
      ? { max: toUnits(leg.amount.max, scale), min: toUnits(leg.amount.min, scale) }
      : leg.amount === 'rest'
        ? 'rest'
        : toUnits(leg.amount, scale);
  return {
    from: accountOf(leg.from, context),
    to: accountOf(leg.to, context),
    currency: leg.currency,
    amount,
    fee: leg.fee ?? false,
  };
}

function accountOf(text: string, { partition }: DecoderContext): LegAccount {
  const { owner, account, held, hold } = parseLegAccount(text);
  if (held !== (hold !== null)) throw new RangeError(`${text}: a hold is named, and only a hold`);
  return { owner: owner === 'house' ? houseOwner(partition) : owner, account, hold };
}

/** Amounts stay below 1e20 of a currency, the bound of the columns. */
export const limitOf = (scale: number): bigint => pow10(20 + scale);

import { z } from 'zod';

/**
 * One message in a log: its kind, the key of its order, and its body. `context` is added by a writer that forwards a
 * message.
 */
export interface Message<B = unknown> {
  readonly type: string;
  readonly key: string;
  readonly body: B;
  readonly context?: ForwardContext;
  /**
   * The trace of the message as `traceparent` (W3C); absent: it is not recorded. No decision depends on it; messages
   * that are sent on behalf of this one carry it on.
   */
  readonly trace?: string;
}

/**
 * The data that the ledger adds to a message it forwards with a journal: the amount really held, and the time of the
 * journal (database time, ms).
 */
export interface ForwardContext {
  readonly held?: string;
  readonly acceptedAt: number;
  /** Business time of the ledger's batch, ms: the time of what the message does. */
  readonly at?: number;
  /** How often a partition has passed the message on because its market had moved; absent: never. */
  readonly passes?: number;
}

export interface EventDefinition<S extends z.ZodType> {
  readonly type: string;
  readonly version: number;
  readonly name: string;
  readonly topic: string;
  readonly schema: S;
  /** Builds a message. @throws Error if the body does not fit its schema: that is a defect of the sender */
  encode(body: z.input<S>, context?: ForwardContext): Message<z.output<S>>;
  /**
   * Builds a message without a check by its schema: for frequent messages whose values were checked when
   * they came in. A reader in another process decodes it.
   */
  build(body: z.output<S>): Message<z.output<S>>;
}

/** Decimal text on the wire, units in memory. */
export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .max(60);
/** Order-like ids are decimal strings. */
export const idText = z.string().regex(/^\d{1,19}$/);
/** An object whose content concerns its sender and its reader only: passed on unchanged, neither read nor copied. */
export const opaque = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
export const userId = z.number().int().positive();
export const ms = z.number().int().nonnegative();

/**
 * The kinds of the bodies that this process has checked or built. Within one process a body is read as the object that
 * was sent, and no code changes it: a second parse by its schema would give the same result.
 */
const kindsOfOwn = new WeakMap<object, string>();

/**
 * Declares a kind of message. A name is never reused, and the version is part of it (`spot.place.v1`). A breaking
 * change gets a new definition; both exist until no reader needs the old one.
 */
export function defineEvent<S extends z.ZodType>(spec: {
  type: string;
  version: number;
  topic: string;
  key: (body: z.output<S>) => string;
  schema: S;
}): EventDefinition<S> {
  const name = `${spec.type}.v${spec.version}`;
  return {
    type: spec.type,
    version: spec.version,
    name,
    topic: spec.topic,
    schema: spec.schema,
    encode(body, context) {
      const parsed = spec.schema.parse(body) as z.output<S>;
      if (typeof parsed === 'object' && parsed !== null) kindsOfOwn.set(parsed, name);
      return context
        ? { type: name, key: spec.key(parsed), body: parsed, context }
        : { type: name, key: spec.key(parsed), body: parsed };
    },
    build(body) {
      if (typeof body === 'object' && body !== null) kindsOfOwn.set(body, name);
      return { type: name, key: spec.key(body), body };
    },
  };
}

/**
 * Reads a message of the given kind; an invalid body is returned as a value, so that the consumer decides between
 * stopping its stream and a dead letter.
 */
export function decode<S extends z.ZodType>(
  definition: EventDefinition<S>,
  message: Message,
): { ok: true; body: z.output<S> } | { ok: false; error: string } {
  if (message.type !== definition.name) return { ok: false, error: `expected ${definition.name}, got ${message.type}` };
  const { body } = message;
  if (typeof body === 'object' && body !== null && kindsOfOwn.get(body) === definition.name)
    return { ok: true, body: body as z.output<S> };
  const parsed = definition.schema.safeParse(body);
  return parsed.success ? { ok: true, body: parsed.data } : { ok: false, error: z.prettifyError(parsed.error) };
}

/**
 * Reads the body of a message of the given kind.
 *
 * @throws Error for another kind or an unfit body: the consumer tries again, and the message becomes a dead letter
 */
export function readBody<S extends z.ZodType>(definition: EventDefinition<S>, message: Message): z.output<S> {
  const decoded = decode(definition, message);
  if (!decoded.ok) throw new Error(`${definition.name} cannot be read: ${decoded.error}`);
  return decoded.body;
}

/** The bodies of all messages of one kind, in their order. @throws Error as `readBody` does, for a body */
export const bodiesOf = <S extends z.ZodType>(
  definition: EventDefinition<S>,
  messages: readonly Message[],
): z.output<S>[] =>
  messages.filter(({ type }) => type === definition.name).map((message) => readBody(definition, message));

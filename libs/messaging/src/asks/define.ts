import type { ServiceName } from '@bourse/platform';

/** The type of a question or an answer, without a value: the compiler checks it, nothing is parsed. */
export interface Shape<T> {
  readonly value?: T;
}

/** A question that one service answers to others (decision 0230). */
export interface Ask<Q, A> {
  /** `<service>.<what>`: its name on the wire, which never changes. */
  readonly name: string;
  readonly question: Shape<Q>;
  readonly answer: Shape<A>;
  /** The services that may ask it from another process. */
  readonly askedBy: readonly ServiceName[];
}
/** A question that several services answer, each under its own name. */
export type ServiceAsk<Q, A> = (service: string) => Ask<Q, A>;

type AnyAsk<Q, A> = Ask<Q, A> | ServiceAsk<Q, A>;
export type QuestionOf<D> = D extends AnyAsk<infer Q, unknown> ? Q : never;
export type AnswerOf<D> = D extends AnyAsk<unknown, infer A> ? A : never;

/** The empty question. */
export type NoQuestion = Readonly<Record<string, never>>;

type AskSpec<Q, A> = Omit<Ask<Q, A>, 'name'>;

export const shape = <T>(): Shape<T> => ({});

/** Declares a question to one service; the same declaration types its handler (`@Answers`) and its callers. */
export const defineAsk = <Q, A>(name: `${ServiceName}.${string}`, spec: AskSpec<Q, A>): Ask<Q, A> => ({
  name,
  ...spec,
});

/** Declares a question that several services answer as `<service>.<what>`. */
export const defineServiceAsk =
  <Q, A>(what: string, spec: AskSpec<Q, A>): ServiceAsk<Q, A> =>
  (service) => ({ name: `${service}.${what}`, ...spec });

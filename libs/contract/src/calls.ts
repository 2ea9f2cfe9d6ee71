import type { Calls } from './calls.generated.js';
import type { OperatorCalls } from './operator-calls.generated.js';

/** Every call of the exchange, of people, programs and operators, by its name: `GET /api/time`. */
export interface EveryCall extends Calls, OperatorCalls {}
export type CallName = keyof EveryCall;
export type CallMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The accepted answer of a call, and its `message`. */
export type AnswerOf<N extends CallName> = EveryCall[N]['answer'];
export type MessageOf<N extends CallName> = AnswerOf<N> extends { message: infer M } ? M : never;
/** A row of the list that a call answers. */
export type RowOf<N extends CallName> = RowIn<MessageOf<N>>;
export type RowIn<M> = M extends readonly (infer R)[]
  ? R
  : M extends { data: readonly (infer R)[] } | { list: readonly (infer R)[] }
    ? R
    : never;

/** A path with parameters, as it is sent: `/api/admin/users/{id}` is any path below `/api/admin/users/`. */
type Filled<N> = N extends `${infer Before}{${string}}${infer After}` ? `${Before}${string}${After}` : N;
type ParameterOf<N> = N extends `${string}{${infer Name}}${string}` ? Name : never;
type NameWithParameter = Extract<CallName, `${string}{${string}}${string}`>;

/** The paths that a method is sent to. */
export type PathOf<M extends CallMethod> = PathIn<M, CallName>;
type PathIn<M extends CallMethod, N> = N extends unknown
  ? Filled<N> extends `${M} ${infer Path}`
    ? Path
    : never
  : never;

/** The call behind a method and a path as it is sent. */
export type CallAt<M extends CallMethod, P extends string> = `${M} ${P}` extends infer N extends CallName
  ? EveryCall[N]
  : {
      [N in NameWithParameter]: `${M} ${P}` extends Filled<N>
        ? { fields: Omit<EveryCall[N]['fields'], ParameterOf<N>>; answer: EveryCall[N]['answer'] }
        : never;
    }[NameWithParameter];

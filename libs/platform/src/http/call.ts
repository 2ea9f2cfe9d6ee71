import {
  applyDecorators,
  createParamDecorator,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension, ApiSecurity, ApiTags } from '@nestjs/swagger';
import {
  mayMoveOut,
  PERSONAL_CALLS,
  type CountedItems,
  type Gate,
  type MovesOut,
  type RateClass,
} from '@bourse/contract';
import type { FastifyRequest } from 'fastify';
import type { FieldRecord } from './body.js';
import { closuresOf, isOpenWhileFrozen } from './closures.js';
import type { CallContext, Caller } from './context.js';
import type { CallDescription } from './call-description.js';

export type OperatorRole = 'support' | 'finance' | 'admin';
const RANK: readonly OperatorRole[] = ['support', 'finance', 'admin'];
/** Whether one of an operator's roles includes the role that a call needs. */
export function includesRole(roles: readonly string[], needed: OperatorRole): boolean {
  return roles.some((role) => RANK.indexOf(role as OperatorRole) >= RANK.indexOf(needed));
}
/**
 * The checks that the edge must make before the handler runs, in the order of api §1.4. Deny by default: a route
 * without a policy is not served.
 */
export interface CallPolicy {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /**
   * `public` calls may carry a token (it is read when valid). `points` also admits the session of the points login.
   * `internal` is never reachable from outside.
   */
  readonly auth: 'public' | 'user' | 'points' | 'operator' | 'dev' | 'internal';
  /** Lowest role of an operator's call (`support` ⊂ `finance` ⊂ `admin`); without one only an `admin` may make it. */
  readonly role?: OperatorRole;
  readonly gates?: readonly Gate[];
  /** The call needs a fund password to be set (`not`), even without a gate. */
  readonly needsFund?: boolean;
  readonly needsOpen?: boolean;
  /**
   * Whether a frozen account may make this call (api §6.17): it can read, cancel and sign out, nothing else. Absent:
   * GET only. A POST that reads, cancels or ends a session sets it to true; a GET that begins something sets it to
   * false.
   */
  readonly whileFrozen?: boolean;
  /**
   * K of api §6.16: the session's password was given within ten minutes. `first`: only where the call sets something
   * for the first time; its use case checks that.
   */
  readonly confirmed?: 'always' | 'first';
  /**
   * Breaker that refuses the call (503) while it is not `normal`: for calls that open something new or take money out,
   * one of the contract or of the service's description. A gate that lets money out is subject to `OUT_BREAKER` anyway.
   */
  readonly breaker?: string;
  /** The call cancels or ends something: its breaker refuses it only while it is `halted`. */
  readonly cancels?: boolean;
  /**
   * How the call may move coins of the caller to another person, where it is no withdrawal: a block of withdrawals, a
   * freeze of them and `OUT_BREAKER` close it then. Its service asks `refuseOut` when it knows the object.
   */
  readonly movesOut?: MovesOut;
  readonly money?: boolean;
  /**
   * A money call that moves no money, such as one that marks a deal as paid: it works while an alarm of the auditors
   * stops the calls that move money. Calls that a frozen account may make work anyway.
   */
  readonly movesNothing?: boolean;
  readonly rate?: RateClass;
  /** How the items of the call count, one by one, against the rates of orders and cancels. */
  readonly items?: CountedItems;
  /**
   * Field that names the account on a call of the rate `signIn`: its value is counted (api §1.7), and no other field's.
   */
  readonly account?: string;
  /** The permission that an API key needs to make this call; see `apiKeyPermission`. */
  readonly apiKey?: 'read' | 'trade' | 'none';
  /** How long the handler may take, when that is not the usual 5 s: uploads from slow lines. Ms. */
  readonly deadlineMs?: number;
  /** The answer is the same for all callers: while its service is unavailable the edge sends the last one. */
  readonly keepsLastAnswer?: boolean;
  /** Answer leaves without envelope. */
  readonly raw?: boolean;
  /** Served without any check, rates included: health and metrics. */
  readonly open?: boolean;
}
export const CALL_POLICY = 'bourse:call';

/**
 * The permission that an API key needs for this call. Without `apiKey` in its policy: `read` for a user's GET, none for
 * anything else, and none for calls about a person's account and security. A call that may move money to another person
 * is closed to every key, whatever its policy says (api §2.1: no permission to withdraw exists).
 */
export function apiKeyPermission(policy: CallPolicy): 'read' | 'trade' | 'none' {
  const { auth, method, path, apiKey } = policy;
  if (auth !== 'user' || mayMoveOut(policy)) return 'none';
  return apiKey ?? (method === 'GET' && !PERSONAL_CALLS.test(path) ? 'read' : 'none');
}
/** Whether an operator says why: on every write but the one that only ends a session (api §2.12). */
export const asksWhy = ({ auth, method, path }: CallPolicy): boolean =>
  auth === 'operator' && method !== 'GET' && path !== '/api/admin/logout';

export const CALL_DESCRIPTION = 'bourse:description';

/** A method whose result fits the answer that its call declares; any other does not compile. */
type Handler<R> = (
  target: object,
  name: string | symbol,
  descriptor: { readonly value?: (...parameters: never[]) => R | Promise<R> },
) => void;

/**
 * Declares a public call: route, policy and answer in one place. Controllers use `@Controller()` without a prefix and
 * the full path here; fields come as `@Body()` or `@Query()` of a class of declared fields.
 */
export function Call<R = unknown>(policy: CallPolicy, description?: CallDescription<R>): Handler<R> {
  return applyDecorators(
    RequestMapping({ path: policy.path, method: RequestMethod[policy.method] }),
    SetMetadata(CALL_POLICY, policy),
    SetMetadata(CALL_DESCRIPTION, description),
    ApiTags(policy.path.split('/')[2] ?? 'service'),
    ...(policy.auth === 'public' || policy.auth === 'dev' ? [] : [ApiSecurity('token')]),
    ApiExtension('x-call', {
      auth: policy.auth,
      ...(policy.auth === 'operator' ? { role: policy.role ?? 'admin' } : {}),
      money: policy.money ?? false,
      gates: policy.gates ?? [],
      api_key: apiKeyPermission(policy),
      ...(policy.auth === 'user' || policy.auth === 'points' ? { while_frozen: isOpenWhileFrozen(policy) } : {}),
      ...(policy.confirmed ? { confirmed: policy.confirmed } : {}),
      ...(policy.money && policy.auth !== 'operator' ? { closed_by: closuresOf(policy) } : {}),
    }),
  ) as Handler<R>;
}

/** The context that the edge or the internal guard has put on the request. */
function contextOf({ bourse }: FastifyRequest): CallContext {
  if (!bourse) throw new Error('invariant: a call reached its handler without a context');
  return bourse;
}
/** Reads the caller of a signed-in call. */
function callerOf(request: FastifyRequest): Caller {
  const { caller } = contextOf(request);
  if (!caller) throw new Error('invariant: a signed-in call reached its handler without a caller');
  return caller;
}
type RequestReader = (request: FastifyRequest) => unknown;
/** Parameters that read the request alone, by the factory under which Nest knows them. */
export const REQUEST_READERS = new Map<unknown, RequestReader>();
function createRequestParam(read: RequestReader): () => ParameterDecorator {
  const factory = (_: unknown, execution: ExecutionContext): unknown =>
    read(execution.switchToHttp().getRequest<FastifyRequest>());
  REQUEST_READERS.set(factory, read);
  return createParamDecorator(factory);
}
/** The caller; for handlers of signed-in calls. */
export const CurrentCaller = createRequestParam(callerOf);
/** The whole context; `caller` is null for visitors. */
export const Context = createRequestParam(contextOf);
/**
 * Body and query in one flat record of strings (bodies win), as api §1.1 requires: for the edge, which checks a call
 * before its fields are read.
 */
export function fieldsOf(request: Pick<FastifyRequest, 'query' | 'body'>): FieldRecord {
  // Without a prototype: a name from outside such as `constructor` finds no inherited value.
  return Object.assign(Object.create(null) as object, request.query, request.body) as FieldRecord;
}
export type { FieldRecord } from './body.js';

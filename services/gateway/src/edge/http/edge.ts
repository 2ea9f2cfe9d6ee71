import { Injectable } from '@nestjs/common';
import { COMMAND_VALID_MS, freezesOut, mayMoveOut, outVerdict, type OutStops, type OutVerdict } from '@bourse/contract';
import {
  apiKeyPermission,
  asksWhy,
  Clock,
  deviceOfHeaders,
  fieldsOf,
  includesRole,
  languageOf,
  plainAddress,
  present,
  readReason,
  Refused,
  type CallContext,
  type Caller,
  type CallPolicy,
} from '@bourse/platform';
import type { FastifyRequest } from 'fastify';
import { Config } from '@bourse/platform';
import { IS_OPEN, Settings, TRADE_NEEDS_FUND, TRADE_NEEDS_IDENTITY } from '@bourse/settings';
import { ApiKeys } from '../../sign-in/application/api-keys.js';
import { CommandKeys, type ClaimedKey } from '../application/command-keys.js';
import { Commands } from '../application/commands.js';
import { Breakers } from '../../breakers/application/breakers.js';
import { gateRefusal } from '../../sign-in/application/gates.js';
import { Rates, type RateStatus } from '../application/rates.js';
import { Sessions, tokenOf } from '../../sign-in/application/sessions.js';
import { programOfSocket } from '../application/socket-program.js';
import { ExchangeAlarms } from './exchange-alarms.js';
import { TokenStrategy } from '../../sign-in/http/token.strategy.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The Idempotency-Key of an admitted money call; absent if it has none. */
    claimedKey?: ClaimedKey;
    /** Remaining allowance of the narrowest rate that the call was counted in. */
    rateStatus?: RateStatus;
  }
}

/**
 * The checks of a call in the order of api §1.4, up to its gates; the handler checks fields and state. Bodies were read
 * before [EDGE-002].
 */
@Injectable()
export class Edge {
  constructor(
    private readonly sessions: Sessions,
    private readonly tokens: TokenStrategy,
    private readonly rates: Rates,
    private readonly commands: Commands,
    private readonly keys: CommandKeys,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly alarms: ExchangeAlarms,
    private readonly breakers: Breakers,
    private readonly apiKeys: ApiKeys,
    private readonly settings: Settings,
  ) {}

  /**
   * The context of an admitted call; throws `Refused`. Each known part is set on the request at once, so that a refusal
   * is in the caller's language.
   */
  async admit(request: FastifyRequest, policy: CallPolicy): Promise<CallContext> {
    if (policy.auth === 'internal' || (policy.auth === 'dev' && !this.config.dev)) throw new Refused('common.noRoute');
    request.call = policy;
    const { headers } = request;
    const fields = fieldsOf(request);
    const ip = plainAddress(request.ip);
    const device = deviceOfHeaders(headers);
    const guest: CallContext = {
      requestId: request.id,
      lang: languageOf(headers),
      ip,
      agent: String(headers['user-agent'] ?? '').slice(0, 200),
      ...(device === null ? {} : { device }),
      caller: null,
      commandId: null,
      hasKey: false,
      bodyHash: null,
      validUntil: this.clock.real() + COMMAND_VALID_MS,
    };
    request.bourse = guest;
    const note = (status: RateStatus): void => {
      request.rateStatus = status;
    };
    await this.rates.address(ip, policy, fields, note);
    const verdict = outVerdict(policy, fields);
    const caller = await this.identify(request, policy);
    let context: CallContext = caller ? { ...guest, caller, lang: languageOf(headers, caller.lang) } : guest;
    request.bourse = context;
    if (!caller) await this.rates.guest(ip, policy, note);
    if (caller) {
      mayCall(caller, policy);
      await this.rates.user(caller.userId, policy, fields, note);
      if (policy.auth === 'user' || policy.auth === 'points') {
        const passed = await this.pass(caller, policy, verdict);
        if (passed !== caller) context = { ...context, caller: passed };
        // A deciding field is read by its service in its own way, so the service checks again by the value that it has
        // read.
        if (mayMoveOut(policy)) context = { ...context, outStops: this.outStops(passed) };
      }
      if (asksWhy(policy)) readReason(present(fields, 'reason'));
      if (this.breakers.stops(policy, verdict)) throw new Refused('market.paused');
      if (this.alarms.stops(policy)) throw new Refused('common.unavailable');
      if (policy.money) {
        const key = headers['idempotency-key'];
        const command = this.commands.identify(caller.userId, policy.method, policy.path, key, fields);
        context = { ...context, ...command };
        if (command.hasKey && typeof key === 'string')
          request.claimedKey = await this.keys.claim({ keyId: this.keys.idOf(caller, key), ...command });
      }
    }
    request.bourse = context;
    return context;
  }

  private async identify(request: FastifyRequest, policy: CallPolicy): Promise<Caller | null> {
    const needed = policy.auth !== 'public' && policy.auth !== 'dev';
    const program = programOfSocket();
    if (needed && (program !== undefined || request.headers['x-api-key'] !== undefined))
      return this.program(request, policy, program);
    const token = tokenOf(request.headers);
    // Calls that may move money to another person read the caller from auth, not from the minute's cache
    // (invariants §5).
    const caller = token ? await this.tokens.callerOf(token, mayMoveOut(policy)) : null;
    // A public call treats an operator as a guest: it would take the token's id for a user's. A session of the points
    // login is a guest there too: it may read nothing of a person but points (api §2.1).
    if (!needed) return caller?.kind === 'operator' || caller?.kind === 'points' ? null : caller;
    if (!caller) throw new Refused('auth.expired');
    return caller;
  }

  /**
   * Identifies a program by its API key: signature first, then permissions and address. `socket`: name of the key that
   * signed the handshake, for a call over a socket.
   */
  private async program(request: FastifyRequest, policy: CallPolicy, socket: string | undefined): Promise<Caller> {
    const { headers, method, url, ip, bodyDigest } = request;
    const needed = apiKeyPermission(policy);
    const key =
      socket === undefined
        ? await this.apiKeys.signer({ headers, method, url, bodyDigest })
        : await this.apiKeys.named(socket);
    // The security log names the key's owner beside a refusal.
    if (request.bourse) request.bourse = { ...request.bourse, caller: key.caller };
    if (needed === 'none' || !key.permissions.includes(needed) || !this.apiKeys.allows(key, ip))
      throw new Refused('common.forbidden');
    if (needed === 'trade' && socket === undefined) await this.apiKeys.once({ headers });
    return key.caller;
  }

  /** The reasons why the caller's money is held back, for the service that owns the object of the call. */
  private outStops({ frozen, frozenSince, withdrawalsBlocked }: Caller): OutStops {
    return {
      frozenSince: freezesOut(frozen) ? (frozenSince ?? 0) : null,
      pausedSince: this.breakers.outPausedSince(),
      blocked: withdrawalsBlocked ?? null,
    };
  }

  /** Gates check the cached record; before a refusal the record is read again from auth. */
  private async pass(caller: Caller, policy: CallPolicy, verdict: OutVerdict): Promise<Caller> {
    const settings = {
      open: this.settings.get(IS_OPEN),
      needsFund: this.settings.get(TRADE_NEEDS_FUND),
      needsIdentity: this.settings.get(TRADE_NEEDS_IDENTITY),
    };
    if (!gateRefusal(caller, policy, settings, verdict)) return caller;
    const fresh = await this.sessions.fresh(caller);
    const reason = gateRefusal(fresh, policy, settings, verdict);
    if (reason) throw new Refused(reason.key, {}, reason.type ? { type: reason.type } : {});
    return fresh;
  }
}

/**
 * Checks whether this kind of caller may make the call at all. Throws `common.forbidden` for a missing role,
 * `common.noPermission` otherwise.
 */
function mayCall(caller: Caller, { auth, role }: CallPolicy): void {
  if (auth === 'public' || auth === 'dev') return;
  if (auth === 'operator') {
    if (caller.kind !== 'operator' || !includesRole(caller.roles, role ?? 'admin'))
      throw new Refused('common.forbidden');
  } else if (caller.kind === 'operator' || (caller.kind === 'points' && auth !== 'points')) {
    throw new Refused('common.noPermission');
  }
}

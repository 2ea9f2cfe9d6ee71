import { Controller, Query } from '@nestjs/common';
import {
  LANGUAGES,
  type ServerConfig,
  type ServerStatus,
  millis,
  payloadForProgram,
  serverConfig,
  serverStatus,
  streamSince,
  toFlag,
  type StreamSince,
} from '@bourse/contract';
import type { LedgerReply } from '@bourse/events';
import { Asks, serviceAsks } from '@bourse/messaging';
import {
  Call,
  Clock,
  Config,
  Context,
  CurrentCaller,
  file,
  message,
  Notice,
  Raw,
  Refused,
  Reply,
  timeText,
  type CallContext,
  type Caller,
  type Answered,
} from '@bourse/platform';
import {
  APP_ANDROID,
  APP_IOS,
  APP_MOBILE_PATH,
  INVITE_CODE_MUST,
  IS_OPEN,
  LOGIN_NEED_CODE,
  Settings,
  SOURCE_URL,
  SUPPORT_URL,
} from '@bourse/settings';
import { CommandQuery, SinceQuery } from './fields.js';
import * as z from 'zod/mini';
import { Breakers } from '../../breakers/application/breakers.js';
import { CommandKeys } from '../../edge/application/command-keys.js';
import { Commands } from '../../edge/application/commands.js';
import { Descriptions } from '../../shared/application/descriptions.js';
import { HouseBooks } from '../../reconciliation/application/house-books.js';
import { LastRound } from '../../reconciliation/application/last-round.js';
import { Latency } from '../../shared/application/latency.js';
import { MarketViews } from '../../shared/application/market-views.js';
import { Outages } from '../../outages/application/outages.js';
import { PrivateEvents } from '../../sockets/application/private-events.js';
import { VERSION } from '../../version.js';
import { ExchangeAlarms } from '../../edge/http/exchange-alarms.js';
import { OpenApiOfAll } from '../../edge/http/open-api.js';
import { Routes } from '../../edge/http/routes.js';
import { asyncApi } from '../../edge/http/async-api.js';

/** Constants of the screens (rules §16). */
const DEFAULT_LOCALE = 'en';
const DEFAULT_THEME = 'dark';
/** Any answer that the call has given. */
const storedAnswer: Answered<Notice | Reply> = { message: z.unknown(), beside: { command_id: z.string() } };

/** The gateway's own calls (api §2.11). */
@Controller()
export class ServiceController {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly asks: Asks,
    private readonly alarms: ExchangeAlarms,
    private readonly commands: Commands,
    private readonly keys: CommandKeys,
    private readonly routes: Routes,
    private readonly latency: Latency,
    private readonly markets: MarketViews,
    private readonly events: PrivateEvents,
    private readonly openApi: OpenApiOfAll,
    private readonly descriptions: Descriptions,
    private readonly houseBooks: HouseBooks,
    private readonly lastRound: LastRound,
    private readonly values: Settings,
    private readonly breakers: Breakers,
    private readonly outages: Outages,
  ) {}

  @Call(
    { method: 'GET', path: '/api/config', auth: 'public' },
    { summary: 'Get the configuration of this server for the terminal', answer: message(serverConfig) },
  )
  settings(): ServerConfig {
    return {
      languages: [...LANGUAGES],
      default_locale: DEFAULT_LOCALE,
      theme: DEFAULT_THEME,
      login_need_code: toFlag(this.values.get(LOGIN_NEED_CODE)),
      invite_code_must: toFlag(this.values.get(INVITE_CODE_MUST)),
      is_open_CTbi: toFlag(this.values.get(IS_OPEN)),
      socket_path: '/socket.io',
      socket_port: this.config.socketPort,
      support_url: this.values.get(SUPPORT_URL),
      source_url: this.values.get(SOURCE_URL),
      app: {
        ios: this.values.get(APP_IOS),
        android: this.values.get(APP_ANDROID),
        mobile_path: this.values.get(APP_MOBILE_PATH),
      },
      dev: toFlag(this.config.dev),
      server_time: this.clock.now(),
    };
  }

  @Call(
    { method: 'GET', path: '/api/time', auth: 'public' },
    { summary: 'Time of the business clock', answer: message(millis) },
  )
  time(): number {
    return this.clock.now();
  }

  /** The final answer of an earlier money call, by its Idempotency-Key or command id. */
  @Call(
    { method: 'GET', path: '/api/command', auth: 'user' },
    {
      summary: 'Get the answer of an earlier money call',
      answer: storedAnswer,
      refuses: ['common.notFound', 'common.processing'],
    },
  )
  async command(@CurrentCaller() caller: Caller, @Query() fields: CommandQuery): Promise<Notice | Reply> {
    const { key } = fields;
    // A key belongs to one command. A key that is unknown here was used at a gateway of the previous release: it may
    // belong to any call whose service is known.
    const claimed = this.commands.belongs(caller.userId, key) ? key : await this.keys.find(caller, key);
    const asked = claimed
      ? [{ commandId: claimed, service: null }]
      : this.commands.isKey(key)
        ? this.routes.moneyCalls().map(({ service, policy: { method, path } }) => ({
            commandId: this.commands.idOf(caller.userId, method, path, key),
            service,
          }))
        : [];
    const ids = asked.map(({ commandId }) => commandId);
    const replies = await Promise.all(
      this.descriptions.answering().map(async ({ service, answers }) => {
        const own = asked.filter((one) => one.service === null || answers === 'all' || one.service === service);
        return own.length === 0
          ? null
          : this.stored(
              service,
              own.map(({ commandId }) => commandId),
            );
      }),
    );
    const settled = replies.find((reply) => reply !== null && reply !== 'unknown');
    if (settled) return answerOf(settled, settled.commandId);
    const recent = await this.commands.recent(ids);
    // "Not found" is final, so it is not answered while calls of a service are unknown, or while marks of this
    // process's predecessor may be lost.
    const mayExist =
      recent === undefined ||
      !this.routes.complete ||
      (this.routes.distributed && this.descriptions.missing().length > 0) ||
      (this.routes.distributed && this.commands.mayHaveForgotten());
    if (recent || mayExist || replies.includes('unknown'))
      throw new Refused('common.processing', {}, { extra: { command_id: recent ?? ids[0] } });
    throw new Refused('common.notFound');
  }

  @Call(
    { method: 'GET', path: '/api/stream/since', auth: 'user' },
    { summary: 'List private events of the last 24 hours after a number', answer: message(streamSince) },
  )
  async since(@CurrentCaller() caller: Caller, @Query() fields: SinceQuery): Promise<StreamSince> {
    const { events, userSeq, complete } = await this.events.since(caller.userId, fields.userSeq);
    return {
      events: events.map(({ event, payload }) => ({
        event,
        payload: caller.kind === 'apikey' ? payloadForProgram(event, payload) : payload,
      })),
      user_seq: userSeq,
      complete: toFlag(complete),
    };
  }

  @Call(
    { method: 'GET', path: '/api/status', auth: 'public' },
    {
      summary: 'Version, modes of the markets and products, age of the index, latencies, database, auditor, outages',
      answer: message(serverStatus),
    },
  )
  async status(): Promise<ServerStatus> {
    const [books, round, away] = await Promise.all([
      this.houseBooks.all(),
      this.lastRound.read(),
      this.lastRound.databaseIsAway(),
    ]);
    const { span, outages } = this.outages.history();
    const { markets, volume24h, tradesToday } = this.markets.activity();
    return {
      version: VERSION,
      modes: this.markets.modes(),
      breakers: this.breakers.products(),
      maker: toFlag(this.markets.houseQuotes()),
      house: Object.fromEntries(books.map(({ product, currencies }) => [product, currencies])),
      outcomes: Object.fromEntries(books.map(({ product, outcomes }) => [product, outcomes])),
      feed: this.markets.feedKind(),
      feed_age_ms: this.markets.feedAgeMs(),
      stale_pairs: this.markets.stalePairs(),
      feeds: this.markets.feeds(),
      latency_ms: this.latency.report(),
      database: away ? 'away' : 'ok',
      audit: this.alarms.names().length === 0 ? 'ok' : 'alarm',
      audit_time: round === null ? null : timeText(round.checkedAt),
      audit_age_ms: round === null ? -1 : Math.max(0, this.clock.real() - round.checkedAt),
      audit_checks: round?.checks.length ?? 0,
      markets,
      volume_24h: volume24h,
      trades_today: tradesToday,
      history: {
        since: span?.from ?? null,
        until: span?.to ?? null,
        outages: outages.map(({ product, day, limitedSeconds, downSeconds }) => ({
          product,
          day,
          limited_seconds: limitedSeconds,
          down_seconds: downSeconds,
        })),
      },
    };
  }

  @Call(
    { method: 'GET', path: '/api/openapi.json', auth: 'public', raw: true },
    { summary: 'This interface as OpenAPI', answer: file('application/json') },
  )
  async document(@Context() _context: CallContext): Promise<Raw> {
    return new Raw(await this.openApi.public());
  }

  @Call(
    { method: 'GET', path: '/api/asyncapi.json', auth: 'public', raw: true },
    { summary: 'The socket as AsyncAPI', answer: file('application/json') },
  )
  socketDocument(): Raw {
    return new Raw(asyncApi(this.config.examples));
  }

  /**
   * The first of these commands that has an answer. If the deciding service is unavailable, the outcome stays unknown.
   */
  private async stored(service: string, commandIds: readonly string[]): Promise<LedgerReply | null | 'unknown'> {
    try {
      return await this.asks.ask(serviceAsks.answers(service), { commandIds });
    } catch (error) {
      if (error instanceof Refused) throw error;
      return 'unknown';
    }
  }
}

/** A stored answer, as it was or would have been given. */
function answerOf({ answer }: LedgerReply, commandId: string): Notice | Reply {
  const { type, key, params, field, message, extra } = answer;
  if (type !== 'ok')
    throw new Refused(key ?? 'common.defect', params ?? {}, {
      type,
      ...(field === undefined ? {} : { field }),
      extra: { ...extra, command_id: commandId },
    });
  const beside = { ...extra, command_id: commandId };
  return key === undefined ? new Reply(message, beside) : new Notice(key, beside, params ?? {});
}

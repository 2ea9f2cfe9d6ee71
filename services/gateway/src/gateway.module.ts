import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ReferenceModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { OwnOrigins } from '@bourse/platform';
import {
  APP_ANDROID,
  APP_IOS,
  APP_MOBILE_PATH,
  IS_OPEN,
  SettingsModule,
  SOURCE_URL,
  SUPPORT_URL,
  TRADE_NEEDS_FUND,
  TRADE_NEEDS_IDENTITY,
  withDefault,
} from '@bourse/settings';
import { AdminController } from './adapters/http/admin.controller.js';
import { GatewayAsksController } from './adapters/messaging/asks.controller.js';
import { OperatorActionsController } from './adapters/messaging/operator-actions.controller.js';
import { UserEventsController } from './adapters/messaging/user-events.controller.js';
import { DeadlineInterceptor } from './adapters/http/deadline.interceptor.js';
import { SearchController } from './adapters/http/search.controller.js';
import { DashboardController } from './adapters/http/dashboard.controller.js';
import { DemoCalls } from './adapters/http/demo-calls.js';
import { DevController } from './adapters/http/dev.controller.js';
import { ExchangeAlarms } from './adapters/http/exchange-alarms.js';
import { BoundedCalls } from './adapters/http/bounded-calls.js';
import { DirectDoor } from './adapters/http/direct-door.js';
import { EdgeGuard } from './adapters/http/edge.guard.js';
import { Edge } from './adapters/http/edge.js';
import { ForwardedWatch } from './adapters/http/forwarded-watch.js';
import { Forwarder } from './adapters/http/forwarder.js';
import { FrontDoor } from './adapters/http/front-door.js';
import { Multipart } from './adapters/http/multipart.js';
import { OpenApiOfAll } from './adapters/http/open-api.js';
import { Routes } from './adapters/http/routes.js';
import { ServiceController } from './adapters/http/service.controller.js';
import { SettingsController } from './adapters/http/settings.controller.js';
import { SharpImages } from './adapters/images/sharp-images.js';
import { PostgresAuditLog } from './adapters/persistence/postgres-audit-log.js';
import { PostgresUploadStore } from './adapters/persistence/postgres-upload-store.js';
import { TokenStrategy } from './adapters/http/token.strategy.js';
import { Terminal } from './adapters/http/terminal.js';
import { AuditLogController } from './adapters/http/audit-log.controller.js';
import { UploadController } from './adapters/http/upload.controller.js';
import { PostgresCommandKeys } from './adapters/persistence/postgres-command-keys.js';
import { PostgresBreakerStore } from './adapters/persistence/postgres-breaker-store.js';
import { PostgresNotedNumbers } from './adapters/persistence/postgres-noted-numbers.js';
import { PostgresRoundStore } from './adapters/persistence/postgres-round-store.js';
import { PostgresClockOffsetStore } from './adapters/persistence/postgres-clock-offset-store.js';
import { GATEWAY_ENTITIES } from './adapters/persistence/entities/index.js';
import { GatewayDatabase, MIGRATIONS } from './adapters/persistence/gateway-database.js';
import { SocketAdapter } from './adapters/socket/socket-adapter.js';
import { SocketsGateway } from './adapters/socket/sockets.gateway.js';
import { ApiKeys } from './application/api-keys.js';
import { Audit, RaisedAlarms } from './application/reconciliation/audit.js';
import { Auditor } from './application/auditor.js';
import { Breakers, BreakerStore } from './application/breakers.js';
import { MarketMoves } from './application/market-moves.js';
import { CommandKeys, CommandKeyStore } from './application/command-keys.js';
import { Commands } from './application/commands.js';
import { ClockOffsetStore, ExchangeClock } from './application/exchange-clock.js';
import { HouseBooks } from './application/house-books.js';
import { LastRound } from './application/last-round.js';
import { RoundStore } from './application/round-store.js';
import { Latency } from './application/latency.js';
import { MarketViews } from './application/market-views.js';
import { Descriptions } from './application/descriptions.js';
import { Exports } from './application/exports.js';
import { AuditLog } from './application/audit-log.js';
import { NotedNumbers } from './application/noted-numbers.js';
import { LiveStates } from './application/live-states.js';
import { PrivateEvents } from './application/private-events.js';
import { PublicStreams } from './application/public-streams.js';
import { Rates } from './application/rates.js';
import { Sessions } from './application/sessions.js';
import { UserEventReader } from './application/user-event-reader.js';
import { TrafficHistory } from './application/traffic-history.js';
import { ImageEncoder, Uploads, UploadStore } from './application/uploads.js';

@Module({
  providers: [
    {
      provide: GatewayDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) =>
        databases.open({ schema: 'gateway', migrations: MIGRATIONS, entities: GATEWAY_ENTITIES }),
    },
  ],
  exports: [GatewayDatabase],
})
class GatewayDatabaseModule {}

const reference = ReferenceModule.forSchema(GatewayDatabase, 'gateway', [GatewayDatabaseModule]);

/** The edge of the exchange: the public process in both runs. */
@Module({
  imports: [
    GatewayDatabaseModule,
    reference,
    SettingsModule.forService({
      service: 'gateway',
      database: GatewayDatabase,
      imports: [GatewayDatabaseModule, reference],
      settings: ({ supportUrl }) => [
        IS_OPEN,
        TRADE_NEEDS_FUND,
        TRADE_NEEDS_IDENTITY,
        APP_IOS,
        APP_ANDROID,
        APP_MOBILE_PATH,
        SOURCE_URL,
        // The environment of an install sets the default.
        withDefault(SUPPORT_URL, supportUrl),
      ],
    }),
  ],
  controllers: [
    ServiceController,
    SettingsController,
    AdminController,
    DashboardController,
    SearchController,
    DevController,
    AuditLogController,
    UploadController,
    GatewayAsksController,
    OperatorActionsController,
    UserEventsController,
  ],
  providers: [
    ApiKeys,
    Audit,
    Auditor,
    Breakers,
    MarketMoves,
    Commands,
    CommandKeys,
    DemoCalls,
    Descriptions,
    BoundedCalls,
    DirectDoor,
    Edge,
    ExchangeAlarms,
    ExchangeClock,
    Exports,
    ForwardedWatch,
    Forwarder,
    FrontDoor,
    HouseBooks,
    LastRound,
    Latency,
    MarketViews,
    Multipart,
    OpenApiOfAll,
    OwnOrigins,
    PrivateEvents,
    LiveStates,
    PublicStreams,
    Rates,
    Routes,
    Sessions,
    SocketAdapter,
    SocketsGateway,
    Terminal,
    TokenStrategy,
    TrafficHistory,
    Uploads,
    UserEventReader,
    { provide: NotedNumbers, useClass: PostgresNotedNumbers },
    { provide: ClockOffsetStore, useClass: PostgresClockOffsetStore },
    { provide: CommandKeyStore, useClass: PostgresCommandKeys },
    { provide: BreakerStore, useClass: PostgresBreakerStore },
    { provide: RoundStore, useClass: PostgresRoundStore },
    { provide: AuditLog, useClass: PostgresAuditLog },
    { provide: UploadStore, useClass: PostgresUploadStore },
    { provide: ImageEncoder, useClass: SharpImages },
    { provide: RaisedAlarms, useExisting: ExchangeAlarms },
    { provide: APP_GUARD, useClass: EdgeGuard },
    { provide: APP_INTERCEPTOR, useClass: DeadlineInterceptor },
  ],
})
export class GatewayModule {}

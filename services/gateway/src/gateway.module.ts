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
import { AdminController } from './operations/http/admin.controller.js';
import { GatewayAsksController } from './operations/messaging/asks.controller.js';
import { OperatorActionsController } from './operations/messaging/operator-actions.controller.js';
import { UserEventsController } from './sockets/messaging/user-events.controller.js';
import { DeadlineInterceptor } from './edge/http/deadline.interceptor.js';
import { SearchController } from './operations/http/search.controller.js';
import { DashboardController } from './operations/http/dashboard.controller.js';
import { DemoCalls } from './edge/http/demo-calls.js';
import { DevController } from './operations/http/dev.controller.js';
import { ExchangeAlarms } from './edge/http/exchange-alarms.js';
import { BoundedCalls } from './edge/http/bounded-calls.js';
import { DirectDoor } from './edge/http/direct-door.js';
import { EdgeGuard } from './edge/http/edge.guard.js';
import { Edge } from './edge/http/edge.js';
import { ForwardedWatch } from './edge/http/forwarded-watch.js';
import { Forwarder } from './edge/http/forwarder.js';
import { FrontDoor } from './edge/http/front-door.js';
import { Multipart } from './edge/http/multipart.js';
import { OpenApiOfAll } from './edge/http/open-api.js';
import { Routes } from './edge/http/routes.js';
import { ServiceController } from './operations/http/service.controller.js';
import { SettingsController } from './operations/http/settings.controller.js';
import { SharpImages } from './uploads/images/sharp-images.js';
import { PostgresAuditLog } from './operations/persistence/postgres-audit-log.js';
import { PostgresUploadStore } from './uploads/persistence/postgres-upload-store.js';
import { TokenStrategy } from './sign-in/http/token.strategy.js';
import { Terminal } from './edge/http/terminal.js';
import { AuditLogController } from './operations/http/audit-log.controller.js';
import { UploadController } from './uploads/http/upload.controller.js';
import { PostgresCommandKeys } from './edge/persistence/postgres-command-keys.js';
import { PostgresBreakerStore } from './breakers/persistence/postgres-breaker-store.js';
import { PostgresNotedNumbers } from './sockets/persistence/postgres-noted-numbers.js';
import { PostgresRoundStore } from './reconciliation/persistence/postgres-round-store.js';
import { PostgresClockOffsetStore } from './shared/persistence/postgres-clock-offset-store.js';
import { GATEWAY_ENTITIES } from './operations/persistence/index.js';
import { GatewayDatabase, MIGRATIONS } from './shared/persistence/gateway-database.js';
import { SocketAdapter } from './sockets/socket/socket-adapter.js';
import { SocketsGateway } from './sockets/socket/sockets.gateway.js';
import { ApiKeys } from './sign-in/application/api-keys.js';
import { Audit, RaisedAlarms } from './reconciliation/application/audit.js';
import { Auditor } from './reconciliation/application/auditor.js';
import { Breakers, BreakerStore } from './breakers/application/breakers.js';
import { MarketMoves } from './breakers/application/market-moves.js';
import { CommandKeys, CommandKeyStore } from './edge/application/command-keys.js';
import { Commands } from './edge/application/commands.js';
import { Outages, OutageStore, SilentProducts } from './outages/application/outages.js';
import { PostgresOutageStore } from './outages/persistence/postgres-outage-store.js';
import { ClockOffsetStore, ExchangeClock } from './shared/application/exchange-clock.js';
import { HouseBooks } from './reconciliation/application/house-books.js';
import { LastRound } from './reconciliation/application/last-round.js';
import { RoundStore } from './reconciliation/application/round-store.js';
import { Latency } from './shared/application/latency.js';
import { MarketViews } from './shared/application/market-views.js';
import { Descriptions } from './shared/application/descriptions.js';
import { Exports } from './operations/application/exports.js';
import { AuditLog } from './operations/application/audit-log.js';
import { NotedNumbers } from './sockets/application/noted-numbers.js';
import { LiveStates } from './sockets/application/live-states.js';
import { PrivateEvents } from './sockets/application/private-events.js';
import { PublicStreams } from './sockets/application/public-streams.js';
import { Rates } from './edge/application/rates.js';
import { Sessions } from './sign-in/application/sessions.js';
import { UserEventReader } from './sockets/application/user-event-reader.js';
import { TrafficHistory } from './operations/application/traffic-history.js';
import { ImageEncoder, Uploads, UploadStore } from './uploads/application/uploads.js';

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
    Outages,
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
    { provide: OutageStore, useClass: PostgresOutageStore },
    { provide: SilentProducts, useExisting: ExchangeAlarms },
    { provide: RaisedAlarms, useExisting: ExchangeAlarms },
    { provide: APP_GUARD, useClass: EdgeGuard },
    { provide: APP_INTERCEPTOR, useClass: DeadlineInterceptor },
  ],
})
export class GatewayModule {}

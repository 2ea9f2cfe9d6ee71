import { Module, type Provider } from '@nestjs/common';
import { LedgerClientModule, productFrame } from '@bourse/ledger-client';
import {
  askedFundGate,
  MarkPricesModule,
  OwnUploads,
  Parties,
  PartsAudit,
  ReferenceModule,
  TimersModule,
  type AuditPart,
} from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule, settingsOf } from '@bourse/settings';
import { AskedLedgerTotals } from './audit/messaging/asked-ledger-totals.js';
import { EscrowAudit, LegAudit } from './audit/persistence/leg-audit.js';
import { MIGRATIONS } from './migrations.js';
import { LedgerTotals } from './audit/application/ledger-totals.js';
import { C2cDatabase } from './shared/application/database.js';
import { PARTS } from './parts.js';
import { CoinPrices } from './shared/application/coin-prices.js';
import { MarkedCoinPrices } from './shared/messaging/marked-coin-prices.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'c2c-escrow';

@Module({
  providers: [
    {
      provide: C2cDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 }),
    },
  ],
  exports: [C2cDatabase],
})
class C2cDatabaseModule {}

const reference = ReferenceModule.forSchema(C2cDatabase, 'escrow', [C2cDatabaseModule]);

const frame = productFrame({ service: SERVICE, database: C2cDatabase, parts: PARTS });
/** Replaces the frame's auditor: it also compares deals with the ledger. */
const audit: Provider[] = [
  { provide: LedgerTotals, useClass: AskedLedgerTotals },
  LegAudit,
  {
    provide: PartsAudit,
    inject: [C2cDatabase, LegAudit, ...PARTS.flatMap((part) => part.audit ?? [])],
    useFactory: (database: C2cDatabase, legs: LegAudit, ...parts: AuditPart[]) =>
      new EscrowAudit(database, legs, parts),
  },
];

/** Fiat between people: C2C, shops and acceptors (schema `escrow`). */
@Module({
  imports: [
    C2cDatabaseModule,
    reference,
    MarkPricesModule.forService(SERVICE),
    TimersModule.forSchema(C2cDatabase, [C2cDatabaseModule]),
    LedgerClientModule.forService({ service: SERVICE, database: C2cDatabase, imports: [C2cDatabaseModule] }),
    SettingsModule.forService({
      service: SERVICE,
      database: C2cDatabase,
      imports: [C2cDatabaseModule, reference],
      ...settingsOf(PARTS),
    }),
  ],
  controllers: frame.controllers,
  providers: [
    { provide: CoinPrices, useClass: MarkedCoinPrices },
    askedFundGate,
    OwnUploads,
    Parties,
    ...frame.providers,
    ...audit,
  ],
})
export class C2cEscrowModule {}

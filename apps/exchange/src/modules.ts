// Written by `npm run services` from the manifests of the services (service.json): change those.
import type { DynamicModule, Type } from '@nestjs/common';
import { AuthModule } from '@bourse/auth';
import { C2cEscrowModule } from '@bourse/c2c-escrow';
import { GatewayModule } from '@bourse/gateway';
import { LeverRiskModule } from '@bourse/lever-risk';
import { MarketDataModule } from '@bourse/market-data';
import { MicroSettlementModule } from '@bourse/micro-settlement';
import { NoticesModule } from '@bourse/notices';
import { PointsModule } from '@bourse/points';
import { SavingsModule } from '@bourse/savings';
import { SpotMatchingModule } from '@bourse/spot-matching';
import { WalletLedgerModule } from '@bourse/wallet-ledger';

/** Every service of the exchange, in this one process. */
export const SERVICE_MODULES: readonly (DynamicModule | Type)[] = [
  GatewayModule,
  AuthModule,
  WalletLedgerModule,
  SpotMatchingModule,
  MarketDataModule,
  NoticesModule,
  LeverRiskModule,
  MicroSettlementModule,
  C2cEscrowModule,
  SavingsModule,
  PointsModule,
];

/** Modules of the examples: loaded on demo installs alone, where BOURSE_EXAMPLES names them. */
export const EXAMPLE_MODULES: Readonly<Record<string, () => Promise<DynamicModule | Type>>> = {
  'service-template': async () => (await import('@bourse/service-template')).ServiceTemplateModule,
};

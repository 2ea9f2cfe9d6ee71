import { Clock, Config } from '@bourse/platform';
import type { Part } from '@bourse/settings';
import { PointsController } from './http/points.controller.js';
import { PointsFactsController } from './messaging/points-facts.controller.js';
import { MarkedUsdPrices } from './messaging/marked-usd-prices.js';
import { AskedProgramMembers } from './messaging/asked-program-members.js';
import { MarkedExchangePrices } from './messaging/marked-exchange-prices.js';
import { HttpPointsProgram } from './program/http-points-program.js';
import { ClosedPointsProgram, SimulatedPointsProgram } from './program/simulated-points-program.js';
import { PointsAccountsAudit } from './persistence/audit.js';
import { POINTS_MIGRATIONS } from './persistence/migrations.js';
import { PostgresAccrual } from './persistence/postgres-accrual.js';
import { PostgresPoints } from './persistence/postgres-points.js';
import { AccrualStore, UsdPrices } from './application/accrual-ports.js';
import { PointsAccrual } from './application/points-accrual.js';
import { BindingRecovery } from './application/binding-recovery.js';
import { PointsBindings } from './application/points-bindings.js';
import { PointsExchanges } from './application/points-exchanges.js';
import { ExchangePrices, PointsProgram, PointsStore, ProgramMembers } from './application/points-ports.js';
import { POINTS_SETTINGS } from './application/points-settings.js';
import { PointsViews } from './application/points-views.js';

/** The third party that this install has; a demo install without one has the simulator, any other has none. */
function programOf({ pointsProgram, dev }: Config, clock: Clock): PointsProgram {
  if (pointsProgram) return new HttpPointsProgram(pointsProgram.url, pointsProgram.secret, () => clock.real());
  return dev ? new SimulatedPointsProgram() : new ClosedPointsProgram();
}

/** Points of the third party and of fees paid, and their exchange (rules §10). */
export const POINTS: Part = {
  controllers: [PointsController, PointsFactsController],
  providers: [
    { provide: PointsProgram, inject: [Config, Clock], useFactory: programOf },
    { provide: PointsStore, useClass: PostgresPoints },
    { provide: ExchangePrices, useClass: MarkedExchangePrices },
    { provide: ProgramMembers, useClass: AskedProgramMembers },
    { provide: AccrualStore, useClass: PostgresAccrual },
    { provide: UsdPrices, useClass: MarkedUsdPrices },
    PointsAccountsAudit,
    PointsViews,
    PointsBindings,
    PointsExchanges,
    BindingRecovery,
    PointsAccrual,
  ],
  migrations: POINTS_MIGRATIONS,
  settings: POINTS_SETTINGS,
  rules: [],
  audit: [PointsAccountsAudit],
};

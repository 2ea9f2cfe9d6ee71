import type { Part } from '@bourse/settings';
import { AcceptorAdminController } from './http/admin.controller.js';
import { AcceptorDeskController } from './http/acceptor-side.controller.js';
import { AcceptorController } from './http/customer-side.controller.js';
import { AcceptorAsksController } from './messaging/asks.controller.js';
import { LedgerAcceptorBalances } from './messaging/ledger-acceptor-balances.js';
import { AcceptorAudit } from './persistence/audit.js';
import { ACCEPTOR_MIGRATIONS } from './persistence/migrations.js';
import { PostgresAcceptorDebts } from './persistence/postgres-acceptor-debts.js';
import { PostgresAcceptorDeals } from './persistence/postgres-acceptor-deals.js';
import { PostgresSealedAcceptorDeals } from './persistence/postgres-sealed-acceptor-deals.js';
import { PostgresAcceptors } from './persistence/postgres-acceptors.js';
import { AcceptorAdmin } from './application/admin.js';
import { AcceptorCatalog } from './application/catalog.js';
import { AcceptorCustomers } from './application/customers.js';
import { AcceptorDesk } from './application/acceptor-calls.js';
import { AcceptorPeople, SealedAcceptorPeople } from './application/facts.js';
import { AcceptorGrants } from './application/grants.js';
import { AcceptorLists } from './application/lists.js';
import { AcceptorBalances, AcceptorDealStore, AcceptorDebts, AcceptorStore } from './application/ports.js';
import { AcceptorRecovery } from './application/recovery.js';
import { AcceptorReseal, SealedAcceptorDeals } from './application/reseal.js';
import { AcceptorSeed } from './application/seed.js';
import { ACCEPTOR_SETTINGS } from './application/settings.js';
import { AcceptorSteps } from './application/steps.js';
import { AcceptorSubmit } from './application/submit.js';
import { AcceptorViews } from './application/views.js';

/** Deposits and withdrawals of fiat with acceptors. */
export const ACCEPTORS: Part = {
  controllers: [AcceptorController, AcceptorDeskController, AcceptorAdminController, AcceptorAsksController],
  providers: [
    { provide: AcceptorStore, useClass: PostgresAcceptors },
    { provide: AcceptorDealStore, useClass: PostgresAcceptorDeals },
    { provide: AcceptorDebts, useClass: PostgresAcceptorDebts },
    { provide: AcceptorBalances, useClass: LedgerAcceptorBalances },
    { provide: AcceptorPeople, useClass: SealedAcceptorPeople },
    { provide: SealedAcceptorDeals, useClass: PostgresSealedAcceptorDeals },
    AcceptorReseal,
    AcceptorAudit,
    AcceptorCatalog,
    AcceptorViews,
    AcceptorSubmit,
    AcceptorSteps,
    AcceptorCustomers,
    AcceptorDesk,
    AcceptorGrants,
    AcceptorRecovery,
    AcceptorAdmin,
    AcceptorLists,
    AcceptorSeed,
  ],
  migrations: ACCEPTOR_MIGRATIONS,
  settings: ACCEPTOR_SETTINGS,
  rules: [],
  audit: [AcceptorAudit],
  work: [AcceptorLists],
};

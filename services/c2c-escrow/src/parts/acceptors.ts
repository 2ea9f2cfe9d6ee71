import type { Part } from '@bourse/settings';
import { AcceptorAdminController } from '../adapters/http/acceptor-admin.controller.js';
import { AcceptorDeskController } from '../adapters/http/acceptor-desk.controller.js';
import { AcceptorController } from '../adapters/http/acceptor.controller.js';
import { AcceptorAsksController } from '../adapters/messaging/acceptor-asks.controller.js';
import { LedgerAcceptorBalances } from '../adapters/messaging/ledger-acceptor-balances.js';
import { AcceptorAudit } from '../adapters/persistence/acceptor-audit.js';
import { ACCEPTOR_MIGRATIONS } from '../adapters/persistence/acceptor-migrations.js';
import { PostgresAcceptorDebts } from '../adapters/persistence/postgres-acceptor-debts.js';
import { PostgresAcceptorDeals } from '../adapters/persistence/postgres-acceptor-deals.js';
import { PostgresSealedAcceptorDeals } from '../adapters/persistence/postgres-sealed-acceptor-deals.js';
import { PostgresAcceptors } from '../adapters/persistence/postgres-acceptors.js';
import { AcceptorAdmin } from '../application/acceptor-admin.js';
import { AcceptorCatalog } from '../application/acceptor-catalog.js';
import { AcceptorCustomers } from '../application/acceptor-customers.js';
import { AcceptorDesk } from '../application/acceptor-desk.js';
import { AcceptorPeople, SealedAcceptorPeople } from '../application/acceptor-facts.js';
import { AcceptorGrants } from '../application/acceptor-grants.js';
import { AcceptorLists } from '../application/acceptor-lists.js';
import { AcceptorBalances, AcceptorDealStore, AcceptorDebts, AcceptorStore } from '../application/acceptor-ports.js';
import { AcceptorRecovery } from '../application/acceptor-recovery.js';
import { AcceptorReseal, SealedAcceptorDeals } from '../application/acceptor-reseal.js';
import { AcceptorSeed } from '../application/acceptor-seed.js';
import { ACCEPTOR_SETTINGS } from '../application/acceptor-settings.js';
import { AcceptorSteps } from '../application/acceptor-steps.js';
import { AcceptorSubmit } from '../application/acceptor-submit.js';
import { AcceptorViews } from '../application/acceptor-views.js';

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

import type { Part } from '@bourse/settings';
import { AcceptorAdminController } from './http/admin.controller.js';
import { AcceptorSideController } from './http/acceptor-side.controller.js';
import { CustomerSideController } from './http/customer-side.controller.js';
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
import { CustomerCommands } from './application/customer-commands.js';
import { AcceptorCommands } from './application/acceptor-commands.js';
import { AcceptorContacts, SealedAcceptorContacts } from './application/contacts.js';
import { AcceptorGrants } from './application/grants.js';
import { AcceptorLists } from './application/lists.js';
import { AcceptorBalances, AcceptorDealStore, AcceptorDebts, AcceptorStore } from './application/ports.js';
import { AcceptorRecovery } from './application/recovery.js';
import { AcceptorReseal, SealedAcceptorDeals } from './application/reseal.js';
import { DemoAcceptor } from './application/demo-acceptor.js';
import { ACCEPTOR_SETTINGS } from './application/settings.js';
import { AcceptorSteps } from './application/steps.js';
import { AcceptorDealOpening } from './application/deal-opening.js';
import { AcceptorViews } from './application/views.js';

/** Deposits and withdrawals of fiat with acceptors. */
export const ACCEPTORS: Part = {
  controllers: [CustomerSideController, AcceptorSideController, AcceptorAdminController, AcceptorAsksController],
  providers: [
    { provide: AcceptorStore, useClass: PostgresAcceptors },
    { provide: AcceptorDealStore, useClass: PostgresAcceptorDeals },
    { provide: AcceptorDebts, useClass: PostgresAcceptorDebts },
    { provide: AcceptorBalances, useClass: LedgerAcceptorBalances },
    { provide: AcceptorContacts, useClass: SealedAcceptorContacts },
    { provide: SealedAcceptorDeals, useClass: PostgresSealedAcceptorDeals },
    AcceptorReseal,
    AcceptorAudit,
    AcceptorCatalog,
    AcceptorViews,
    AcceptorDealOpening,
    AcceptorSteps,
    CustomerCommands,
    AcceptorCommands,
    AcceptorGrants,
    AcceptorRecovery,
    AcceptorAdmin,
    AcceptorLists,
    DemoAcceptor,
  ],
  migrations: ACCEPTOR_MIGRATIONS,
  settings: ACCEPTOR_SETTINGS,
  rules: [],
  audit: [AcceptorAudit],
  work: [AcceptorLists],
};

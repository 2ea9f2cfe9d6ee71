import type { Part } from '@bourse/settings';
import { TeamController } from './http/team.controller.js';
import { AskedMemberNames } from './messaging/asked-member-names.js';
import { TeamFactsController } from './messaging/team-facts.controller.js';
import { PostgresRebates } from './persistence/postgres-rebates.js';
import { PostgresTeam } from './persistence/postgres-team.js';
import { TeamAudit } from './persistence/audit.js';
import { TEAM_MIGRATIONS } from './persistence/migrations.js';
import { ProfitList } from './application/profit-list.js';
import { RebatePayments } from './application/rebate-payments.js';
import { RebateStore } from './application/rebate-ports.js';
import { REBATE_RULES, TEAM_REBATES } from './application/rebate-settings.js';
import { Rebates } from './application/rebates.js';
import { TeamFacts } from './application/team-facts.js';
import { MemberNames, TeamStore } from './application/team-ports.js';
import { TeamView } from './application/team-view.js';

/** The team: tree, ranks and rebates (rules §11). */
export const TEAM: Part = {
  controllers: [TeamController, TeamFactsController],
  providers: [
    { provide: TeamStore, useClass: PostgresTeam },
    { provide: MemberNames, useClass: AskedMemberNames },
    { provide: RebateStore, useClass: PostgresRebates },
    TeamAudit,
    TeamFacts,
    TeamView,
    Rebates,
    RebatePayments,
    ProfitList,
  ],
  migrations: TEAM_MIGRATIONS,
  settings: TEAM_REBATES,
  rules: REBATE_RULES,
  audit: [TeamAudit],
};

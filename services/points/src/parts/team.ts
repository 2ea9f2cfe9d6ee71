import { TeamController } from '../adapters/http/team.controller.js';
import { AskedMemberNames } from '../adapters/messaging/asked-member-names.js';
import { TeamFactsController } from '../adapters/messaging/team-facts.controller.js';
import { PostgresTeam } from '../adapters/persistence/postgres-team.js';
import { TeamAudit } from '../adapters/persistence/team-audit.js';
import { TEAM_MIGRATIONS } from '../adapters/persistence/team-migrations.js';
import { TeamFacts } from '../application/team-facts.js';
import { MemberNames, TeamStore } from '../application/team-ports.js';
import { TeamView } from '../application/team-view.js';
import type { Part } from './part.js';

/** The team: tree, ranks and rebates (rules §11). */
export const TEAM: Part = {
  controllers: [TeamController, TeamFactsController],
  providers: [
    { provide: TeamStore, useClass: PostgresTeam },
    { provide: MemberNames, useClass: AskedMemberNames },
    TeamAudit,
    TeamFacts,
    TeamView,
  ],
  migrations: TEAM_MIGRATIONS,
  settings: [],
  rules: [],
  audit: [TeamAudit],
};

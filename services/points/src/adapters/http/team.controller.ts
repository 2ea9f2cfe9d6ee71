import { Body, Controller } from '@nestjs/common';
import { teamTree, type TeamTree } from '@bourse/contract';
import { Call, Context, message, Refused, type CallContext } from '@bourse/platform';
import { TeamView } from '../../application/team-view.js';
import { TreeBody } from './team-fields.js';

/** Teams of people (api §2.9). */
@Controller()
export class TeamController {
  constructor(private readonly teams: TeamView) {}

  @Call(
    { method: 'POST', path: '/api/getNode', auth: 'public', rate: 'tree', whileFrozen: true },
    {
      summary: 'Own team with names, or the shape of another',
      answer: message(teamTree),
      refuses: ['common.notFound'],
    },
  )
  tree(@Body() { userId, after }: TreeBody, @Context() { caller }: CallContext): Promise<TeamTree> {
    if (caller) return this.teams.own(caller.userId, { userId, after });
    if (userId === undefined) throw new Refused('common.fieldRequired', {}, { field: 'user_id' });
    return this.teams.ofStranger(userId);
  }
}

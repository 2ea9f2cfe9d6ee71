import { Body, Controller, Query } from '@nestjs/common';
import { profit, teamTree, type DataPage, type Profit, type TeamTree } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  dataPage,
  message,
  Refused,
  type CallContext,
  type Caller,
} from '@bourse/platform';
import { ProfitList } from '../application/profit-list.js';
import { TeamView } from '../application/team-view.js';
import { ProfitsQuery, TreeBody } from './fields.js';

/** Teams of people (api §2.9). */
@Controller()
export class TeamController {
  constructor(
    private readonly teams: TeamView,
    private readonly profits: ProfitList,
  ) {}

  @Call(
    { method: 'POST', path: '/api/getNode', auth: 'public', rate: 'tree', whileFrozen: true },
    {
      summary: 'Get the own team with names, or the structure of another',
      answer: message(teamTree),
      refuses: ['common.notFound'],
    },
  )
  tree(@Body() { userId, after }: TreeBody, @Context() { caller }: CallContext): Promise<TeamTree> {
    if (caller) return this.teams.own(caller.userId, { userId, after });
    if (userId === undefined) throw new Refused('common.fieldRequired', {}, { field: 'user_id' });
    return this.teams.ofStranger(userId);
  }

  @Call(
    { method: 'GET', path: '/api/profits/show_profits', auth: 'user', rate: 'read' },
    { summary: 'List own paid rebates, newest first', answer: message(dataPage(profit)) },
  )
  paid(
    @Query() { page }: ProfitsQuery,
    @CurrentCaller() { userId }: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Profit>> {
    return this.profits.of(userId, page, lang);
  }
}

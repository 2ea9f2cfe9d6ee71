import { Controller, Query } from '@nestjs/common';
import { Asks, serviceAsks } from '@bourse/messaging';
import { Call, CurrentCaller, includesRole, message, type Caller } from '@bourse/platform';
import type * as z from 'zod/mini';
import { Descriptions } from '../../shared/application/descriptions.js';
import { found } from './answers.js';
import { SearchQuery } from './fields.js';

const ASK_TIMEOUT_MS = 2_000;

/** One search over people, money in and out, orders and deals (api §2.12). */
@Controller()
export class SearchController {
  constructor(
    private readonly asks: Asks,
    private readonly descriptions: Descriptions,
  ) {}

  /** Leaves out results that the caller's roles do not include; `missing` names services that do not answer. */
  @Call(
    { method: 'GET', path: '/api/admin/search', auth: 'operator', role: 'support' },
    { summary: 'Search by id, transaction, address or contact', answer: message(found) },
  )
  async search(@Query() { text }: SearchQuery, @CurrentCaller() caller: Caller): Promise<z.output<typeof found>> {
    const services = this.descriptions.finding();
    const answers = await Promise.allSettled(
      services.map((service) => this.asks.ask(serviceAsks.find(service), { text: text.trim() }, ASK_TIMEOUT_MS)),
    );
    return {
      found: answers
        .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
        .filter(({ role }) => includesRole(caller.roles, role))
        .map(({ kind, id, userId, title }) => ({ kind, id, user_id: userId, title })),
      missing: services.filter((_, at) => answers[at]?.status === 'rejected'),
    };
  }
}

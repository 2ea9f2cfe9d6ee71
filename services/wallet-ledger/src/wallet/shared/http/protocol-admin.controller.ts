import { Body, Controller } from '@nestjs/common';
import { guardedRow, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import { catalogProtocol, ProtocolBody, type CatalogProtocol } from '../application/protocol-rows.js';
import { ProtocolList } from '../persistence/protocol-list.js';

/** Operators' list of networks (api §2.12). */
@Controller()
export class ProtocolAdminController {
  constructor(
    private readonly changes: CatalogChanges,
    private readonly protocols: ProtocolList,
  ) {
    changes.register(protocols);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/protocols', auth: 'operator', role: 'admin' },
    {
      summary: 'List all networks, closed ones included',
      answer: message(z.readonly(z.array(z.extend(catalogProtocol, guardedRow)))),
    },
  )
  rows(): Promise<readonly (CatalogProtocol & GuardedRow)[]> {
    return this.changes.rows(this.protocols, this.protocols.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/protocols/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change fee, minimums, confirmations, state and note of a network; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  save(@Body() body: ProtocolBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.protocols, body, operator);
  }
}

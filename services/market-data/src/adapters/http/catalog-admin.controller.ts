import { Body, Controller } from '@nestjs/common';
import { guardedRow, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import {
  catalogCurrency,
  catalogPair,
  CurrencyBody,
  PairBody,
  type CatalogCurrency,
  type CatalogPair,
} from '../../application/catalog-rows.js';
import { CurrencyList, PairList } from '../persistence/catalog-lists.js';

/** Lists of the catalog that this service keeps, as operators change them (api §2.12). */
@Controller()
export class CatalogAdminController {
  constructor(
    private readonly changes: CatalogChanges,
    private readonly currencies: CurrencyList,
    private readonly pairs: PairList,
  ) {
    changes.register(currencies);
    changes.register(pairs);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/currencies', auth: 'operator', role: 'admin' },
    { summary: 'All currencies', answer: message(z.readonly(z.array(z.extend(catalogCurrency, guardedRow)))) },
  )
  async currencyRows(): Promise<readonly (CatalogCurrency & GuardedRow)[]> {
    return this.changes.rows(this.currencies, await this.currencies.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/currencies/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change the public facts about a currency; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  saveCurrency(@Body() body: CurrencyBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.currencies, body, operator);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/pairs', auth: 'operator', role: 'admin' },
    {
      summary: 'List all pairs, disabled ones included',
      answer: message(z.readonly(z.array(z.extend(catalogPair, guardedRow)))),
    },
  )
  async pairRows(): Promise<readonly (CatalogPair & GuardedRow)[]> {
    return this.changes.rows(this.pairs, await this.pairs.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/pairs/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change fees, limits and state of a pair; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  savePair(@Body() body: PairBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.pairs, body, operator);
  }
}

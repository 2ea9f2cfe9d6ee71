import { Body, Controller } from '@nestjs/common';
import { guardedRow, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import { catalogCountry, CountryBody, type CatalogCountry } from '../../shared/application/country-rows.js';
import { CountryList } from '../../shared/persistence/country-list.js';

/** Operators' list of countries (api §2.12). */
@Controller()
export class CountryAdminController {
  constructor(
    private readonly changes: CatalogChanges,
    private readonly countries: CountryList,
  ) {
    changes.register(countries);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/countries', auth: 'operator', role: 'admin' },
    {
      summary: 'List all countries, hidden ones included',
      answer: message(z.readonly(z.array(z.extend(catalogCountry, guardedRow)))),
    },
  )
  async rows(): Promise<readonly (CatalogCountry & GuardedRow)[]> {
    return this.changes.rows(this.countries, await this.countries.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/countries/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change a country; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  save(@Body() body: CountryBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.countries, body, operator);
  }
}

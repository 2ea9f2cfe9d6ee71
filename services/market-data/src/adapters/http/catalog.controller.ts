import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  coin,
  currencyList,
  quotationGroup,
  quotationItem,
  referenceRate,
  type Coin,
  type CurrencyList,
  type CurrencyRow,
  type QuotationGroup,
  type QuotationItem,
  type ReferenceRate,
} from '@bourse/contract';
import { hasText, translate } from '@bourse/i18n';
import { Call, Context, message, Refused, type CallContext } from '@bourse/platform';
import { CoinQuery } from './fields.js';
import * as z from 'zod/mini';
import { Catalog } from '../../application/catalog.js';
import { ReferenceRates } from '../../application/reference-rates.js';
import { Quotations } from '../../application/quotations.js';

/** Currencies and quotations (api §2.4). */
@ApiTags('market')
@Controller()
export class CatalogController {
  constructor(
    private readonly catalog: Catalog,
    private readonly quotations: Quotations,
    private readonly rates: ReferenceRates,
  ) {}

  @Call(
    { method: 'GET', path: '/api/currency/list', auth: 'public', rate: 'public', keepsLastAnswer: true },
    { summary: 'List all currencies and the quote currencies', answer: message(currencyList) },
  )
  list(@Context() { lang }: CallContext): CurrencyList {
    const list = this.catalog.currencies.map((row) => coinOf(row, lang));
    return { legal: list.filter(({ is_legal }) => is_legal === 1), list };
  }

  @Call(
    { method: 'GET', path: '/api/currency/detail', auth: 'public', rate: 'public', keepsLastAnswer: true },
    { summary: 'One currency', answer: message(coin), refuses: ['common.notFound'] },
  )
  detail(@Query() fields: CoinQuery, @Context() { lang }: CallContext): Coin {
    const currency = this.catalog.currency(fields.id);
    if (!currency) throw new Refused('common.notFound');
    return coinOf(currency, lang);
  }

  @Call(
    { method: 'GET', path: '/api/currency/quotation_new', auth: 'public', rate: 'public', keepsLastAnswer: true },
    { summary: 'Quotations by quote currency', answer: message(z.array(quotationGroup)) },
  )
  groupsOfCurrencies(): QuotationGroup[] {
    return this.quotations.groups();
  }

  @Call(
    { method: 'GET', path: '/api/quotation_new', auth: 'public', rate: 'public', keepsLastAnswer: true },
    { summary: 'Quotations by quote currency', answer: message(z.array(quotationGroup)) },
  )
  groups(): QuotationGroup[] {
    return this.quotations.groups();
  }

  @Call(
    { method: 'POST', path: '/api/quotation_new', auth: 'public', rate: 'public', keepsLastAnswer: true },
    { summary: 'Quotations by quote currency', answer: message(z.array(quotationGroup)) },
  )
  groupsByPost(): QuotationGroup[] {
    return this.quotations.groups();
  }

  @Call(
    { method: 'GET', path: '/api/market/rates', auth: 'public', rate: 'public', keepsLastAnswer: true },
    { summary: 'Rates of approximate values', answer: message(z.array(referenceRate)) },
  )
  referenceRates(): ReferenceRate[] {
    return this.rates.list();
  }

  @Call(
    { method: 'POST', path: '/api/quotation', auth: 'public', rate: 'public', keepsLastAnswer: true },
    {
      summary: 'Displayed pairs, the highest volume first',
      answer: message(z.object({ coin_list: z.array(quotationItem) })),
    },
  )
  byVolume(): { coin_list: QuotationItem[] } {
    return { coin_list: this.quotations.byVolume() };
  }
}

/**
 * A currency as people see it. Without a description by the operator, the exchange's own is shown in the caller's
 * language.
 */
function coinOf(row: CurrencyRow, lang: string): Coin {
  const about = `coinAbout.${row.name}`;
  return {
    id: row.id,
    name: row.name,
    full_name: row.fullName,
    logo: row.logo,
    is_legal: row.isLegal ? 1 : 0,
    is_match: row.isMatch ? 1 : 0,
    is_lever: row.isLever ? 1 : 0,
    is_micro: row.isMicro ? 1 : 0,
    scale: row.scale,
    publish_date: row.publishDate,
    total_supply: row.totalSupply,
    circulation: row.circulation,
    website: row.website,
    explorer: row.explorer,
    white_paper: row.whitePaper,
    description: row.description === '' && hasText(about) ? translate(lang, about) : row.description,
  };
}

import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Coin, CurrencyList, CurrencyRow, QuotationGroup, QuotationItem } from '@bourse/contract';
import { Call, Fields, readInteger, Refused, type FieldRecord } from '@bourse/platform';
import { Catalog } from '../../application/catalog.js';
import { Quotations } from '../../application/quotations.js';

/** Currencies and quotations (api §2.4). */
@ApiTags('market')
@Controller()
export class CatalogController {
  constructor(
    private readonly catalog: Catalog,
    private readonly quotations: Quotations,
  ) {}

  @ApiOperation({ summary: 'All currencies, and those that are quotes' })
  @Call({ method: 'GET', path: '/api/currency/list', auth: 'public', rate: 'public' })
  list(): CurrencyList {
    const list = this.catalog.currencies.map(coinOf);
    return { legal: list.filter(({ is_legal }) => is_legal === 1), list };
  }

  @ApiOperation({ summary: 'One currency' })
  @Call({ method: 'GET', path: '/api/currency/detail', auth: 'public', rate: 'public' })
  detail(@Fields() fields: FieldRecord): Coin {
    const currency = this.catalog.currency(readInteger(fields, 'id'));
    if (!currency) throw new Refused('common.notFound');
    return coinOf(currency);
  }

  @ApiOperation({ summary: 'Quotations by quote currency' })
  @Call({ method: 'GET', path: '/api/currency/quotation_new', auth: 'public', rate: 'public' })
  groupsOfCurrencies(): QuotationGroup[] {
    return this.quotations.groups();
  }

  @ApiOperation({ summary: 'Quotations by quote currency' })
  @Call({ method: 'GET', path: '/api/quotation_new', auth: 'public', rate: 'public' })
  groups(): QuotationGroup[] {
    return this.quotations.groups();
  }

  @ApiOperation({ summary: 'Quotations by quote currency' })
  @Call({ method: 'POST', path: '/api/quotation_new', auth: 'public', rate: 'public' })
  groupsByPost(): QuotationGroup[] {
    return this.quotations.groups();
  }

  @ApiOperation({ summary: 'Displayed pairs, the highest volume first' })
  @Call({ method: 'POST', path: '/api/quotation', auth: 'public', rate: 'public' })
  byVolume(): { coin_list: QuotationItem[] } {
    return { coin_list: this.quotations.byVolume() };
  }
}

function coinOf(row: CurrencyRow): Coin {
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
    description: row.description,
  };
}

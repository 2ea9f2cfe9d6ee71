import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Country } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused } from '@bourse/platform';
import { CatalogList, type SavedRow } from '@bourse/settings';
import { CountryBody, type CatalogCountry } from '../application/country-rows.js';
import { AuthDatabase } from '../application/ports/database.js';
import { COUNTRIES } from './countries.js';

interface Row extends Record<string, unknown> {
  id: number;
  area_code: string;
  name_cn: string;
  name_en: string;
  is_display: boolean;
}
const COLUMNS = 'id, area_code, name_cn, name_en, is_display';
const UNITED_STATES = 840;
/** Other instances write the same rows; the cached rows are valid for this long. Real time, ms. */
const KNOWN_MS = 1_000;

/** Countries with their calling codes: the United States (`+1`) first, then by English name [SETTING-036]. */
@Injectable()
export class CountryList extends CatalogList<CountryBody> implements OnModuleInit {
  readonly name = 'countries';
  readonly body = CountryBody;
  private known: { readonly at: number; readonly rows: Promise<readonly CatalogCountry[]> } | null = null;

  constructor(
    private readonly database: AuthDatabase,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** A fresh install has all countries of the world; an upgrade adds missing ones. */
  async onModuleInit(): Promise<void> {
    await this.database.execute(
      `insert into country (id, area_code, name_cn, name_en)
       select country_id, area_code, name_cn, name_en
       from jsonb_to_recordset($1::jsonb) as seed (country_id integer, area_code text, name_cn text, name_en text)
       on conflict do nothing`,
      [JSON.stringify(COUNTRIES)],
    );
  }

  /** All rows, including those that are not displayed. */
  async rows(): Promise<readonly CatalogCountry[]> {
    const rows = await this.database.query<Row>(`select ${COLUMNS} from country`);
    return rows
      .map(shown)
      .sort(
        (a, b) =>
          Number(b.id === UNITED_STATES) - Number(a.id === UNITED_STATES) || a.name_en.localeCompare(b.name_en, 'en'),
      );
  }

  /** The countries that people can choose. */
  async displayed(): Promise<readonly Country[]> {
    const now = this.clock.real();
    if (!this.known || now - this.known.at > KNOWN_MS) {
      const known = { at: now, rows: this.rows() };
      known.rows.catch(() => (this.known === known ? (this.known = null) : null));
      this.known = known;
    }
    return (await this.known.rows)
      .filter(({ is_display }) => is_display === 1)
      .map(({ id, area_code, name_cn, name_en }) => ({ area_code, country_id: id, name_cn, name_en }));
  }

  async save(tx: Tx, { id, areaCode, nameCn, nameEn, isDisplay }: CountryBody): Promise<SavedRow> {
    const [stored] = await tx.query<Row>(`select ${COLUMNS} from country where id = $1 for update`, [id]);
    if (!stored) throw new Refused('common.notFound', {}, { field: 'id' });
    const row: Row = {
      id,
      area_code: areaCode ?? stored.area_code,
      name_cn: nameCn ?? stored.name_cn,
      name_en: nameEn ?? stored.name_en,
      is_display: isDisplay ?? stored.is_display,
    };
    await tx.execute('update country set area_code = $2, name_cn = $3, name_en = $4, is_display = $5 where id = $1', [
      id,
      row.area_code,
      row.name_cn,
      row.name_en,
      row.is_display,
    ]);
    return { id: String(id), before: shown(stored), after: shown(row) };
  }

  override saved(): void {
    this.known = null;
  }
}

const shown = ({ id, area_code, name_cn, name_en, is_display }: Row): CatalogCountry => ({
  id,
  area_code,
  name_cn,
  name_en,
  is_display: is_display ? 1 : 0,
});

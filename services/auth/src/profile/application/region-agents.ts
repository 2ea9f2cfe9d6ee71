import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage, type RegionUser } from '@bourse/contract';
import { Refused, timeText, type Caller, type Page } from '@bourse/platform';
import { maskedPhone } from '../../shared/domain/profile.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People } from '../../shared/application/ports/people.js';

/** A region agent's list: masked people whose bank is in the agent's city or district (rules §14) [AUTH-150]. */
@Injectable()
export class RegionAgents {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
  ) {}

  /** Throws `region.forbidden` for a caller who is no agent. */
  async users(caller: Caller, page: Page): Promise<DataPage<RegionUser>> {
    // Read again, because the caller's record may be older than the role.
    const region = (await this.people.byId(this.database, caller.userId))?.region ?? '';
    if (region === '') throw new Refused('region.forbidden');
    const [city = '', district] = region.split('/');
    const { total, rows } = await this.people.inRegion(this.database, { city, district: district ?? null }, page);
    return toDataPage({ rows, total }, page, (row) => rowOf(row.region, row.phone, row.createdAt));
  }
}

function rowOf(region: string, phone: string, createdAt: number): RegionUser {
  const [city = '', ...district] = region.split('/');
  return { city_name: city, district_name: district.join('/'), phone: maskedPhone(phone), time: timeText(createdAt) };
}

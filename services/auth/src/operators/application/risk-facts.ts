import { Injectable } from '@nestjs/common';
import type { PersonRisk } from '@bourse/messaging';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { KycCases } from '../../shared/application/ports/kyc-cases.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { Seal } from '../../shared/application/ports/seal.js';
import { Sessions } from '../../shared/application/ports/sessions.js';

/** Facts about people by which operators judge what leaves the exchange (api §2.12) [WITHDRAW-030]. */
@Injectable()
export class RiskFacts {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly sessions: Sessions,
    private readonly identities: KycCases,
    private readonly seal: Seal,
  ) {}

  /** In no order; people that there are not are left out. */
  async of(userIds: readonly number[]): Promise<PersonRisk[]> {
    const [people, devices, contacts] = await Promise.all([
      this.people.profiles(this.database, userIds),
      this.sessions.newestDevices(this.database, userIds),
      this.people.sameContact(this.database, userIds),
    ]);
    return Promise.all(
      people.map(async (person) => ({
        userId: person.id,
        registeredAt: person.createdAt,
        newDeviceAt: devices.get(person.id) ?? null,
        contactChangedAt: latest(person.emailBoundAt, person.phoneBoundAt),
        sharedWith: await this.sharedWith(person, contacts.get(person.id) ?? []),
      })),
    );
  }

  /** The other accounts with the same id number, mailbox or telephone, in the order of their ids. */
  private async sharedWith({ id, cardSealed }: Person, contacts: readonly number[]): Promise<number[]> {
    const cards =
      cardSealed === '' ? [] : await this.identities.sameCard(this.database, id, this.seal.open('card', cardSealed));
    return [...new Set([...cards, ...contacts])].sort((one, other) => one - other);
  }
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other);

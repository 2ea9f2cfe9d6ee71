import type { MessageOf } from '@bourse/contract';

/** How a person is called. */
export type NamedPerson = MessageOf<'GET /api/admin/people'>[number];

/** The shortest text that identifies a person: the name, else a contact, else the account. */
export const nameOf = ({ name, email, phone, account_number: account }: NamedPerson): string =>
  name || email || phone || account;

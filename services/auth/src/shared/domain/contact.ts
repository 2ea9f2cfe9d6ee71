/** Time during which a new contact is not accepted alone while there is another (api §6.16), business time. */
export const CONTACT_WAIT_MS = 24 * 3_600_000;

/** The contacts of an account. Times of binding are business time, ms; null: bound with the registration, or never. */
export interface Contacts {
  readonly email: string;
  readonly phone: string;
  readonly emailBoundAt: number | null;
  readonly phoneBoundAt: number | null;
}

/**
 * Whether a code to this contact may be used for `fund` or `forget`: a contact that was bound within a day only if
 * there is no other.
 */
export function opensPasswords(person: Contacts, kind: 'email' | 'mobile', now: number): boolean {
  const [address, other, boundAt] =
    kind === 'email'
      ? [person.email, person.phone, person.emailBoundAt]
      : [person.phone, person.email, person.phoneBoundAt];
  if (address === '') return false;
  return other === '' || boundAt === null || now - boundAt >= CONTACT_WAIT_MS;
}

/**
 * Whether binding a contact blocks withdrawals (api §2.1): always, except the first addition to an account that is
 * empty and has only the contact it was registered with, where there is nothing to lose.
 */
export function bindingBlocks(person: Contacts, kind: 'email' | 'mobile', isEmpty: boolean): boolean {
  const isChange = (kind === 'email' ? person.email : person.phone) !== '';
  const boundBefore = person.emailBoundAt !== null || person.phoneBoundAt !== null;
  return isChange || boundBefore || !isEmpty;
}

/** Security level of the user centre: 25, and 25 more for each of phone, e-mail and identity (rules §16). */
export function securityLevel({
  phone,
  email,
  certified,
}: {
  readonly phone: boolean;
  readonly email: boolean;
  readonly certified: boolean;
}): 25 | 50 | 75 | 100 {
  return (25 + 25 * [phone, email, certified].filter(Boolean).length) as 25 | 50 | 75 | 100;
}

/**
 * Hides the middle of an id or card number: the first two and the last two characters remain, of short ones only the
 * last.
 */
export function masked(text: string): string {
  const characters = [...text];
  if (characters.length <= 4)
    return characters.map((character, at) => (at === characters.length - 1 ? character : '*')).join('');
  return characters.map((character, at) => (at < 2 || at >= characters.length - 2 ? character : '*')).join('');
}

/**
 * Masks an e-mail address for other people: the first three characters of the name before the @ remain, never all of
 * it.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = [...email.slice(0, Math.max(0, at))];
  return `${name.slice(0, Math.min(3, name.length - 1)).join('')}****${email.slice(at)}`;
}

/** The name shown to the other party of a deal: the masked e-mail, or the masked phone if there is none. */
export const maskedName = ({ email, phone }: { readonly email: string; readonly phone: string }): string =>
  email === '' ? maskedPhone(phone) : maskedEmail(email);

/** The contract's `area_code_id`: 1 for 86, else 0. */
export const areaCodeId = (areaCode: string): 0 | 1 => (areaCode === '86' ? 1 : 0);

/**
 * Masks a phone number for other people, digits only: the middle four are hidden (api §2.1). Plus signs, spaces and
 * dashes are dropped, because a mask that counts them would hide fewer than four digits.
 */
export function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  const from = Math.max(0, Math.floor((digits.length - 4) / 2));
  return digits.slice(0, from) + '*'.repeat(Math.min(4, digits.length - from)) + digits.slice(from + 4);
}

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
 * Hides the middle of an id or card number: the first two and the last two characters stay, of short ones only the
 * last.
 */
export function masked(text: string): string {
  const characters = [...text];
  if (characters.length <= 4)
    return characters.map((character, at) => (at === characters.length - 1 ? character : '*')).join('');
  return characters.map((character, at) => (at < 2 || at >= characters.length - 2 ? character : '*')).join('');
}

/** E-mail addresses of other people: of the name before the @ the first three characters stay, never all of it. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = [...email.slice(0, Math.max(0, at))];
  return `${name.slice(0, Math.min(3, name.length - 1)).join('')}****${email.slice(at)}`;
}

/** What everybody may see of whom they deal with: the masked e-mail, or the masked phone of who has none. */
export const maskedName = ({ email, phone }: { readonly email: string; readonly phone: string }): string =>
  email === '' ? maskedPhone(phone) : maskedEmail(email);

/** The contract's `area_code_id`: 1 for 86, else 0. */
export const areaCodeId = (areaCode: string): 0 | 1 => (areaCode === '86' ? 1 : 0);

/**
 * Phones of other people, their digits alone: the middle four are hidden (api §2.1). Country signs, spaces and dashes
 * fall away, because a mask that counts them hides fewer digits than four.
 */
export function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  const from = Math.max(0, Math.floor((digits.length - 4) / 2));
  return digits.slice(0, from) + '*'.repeat(Math.min(4, digits.length - from)) + digits.slice(from + 4);
}

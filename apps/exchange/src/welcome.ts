import { DEMO_FUND_PASSWORD, DEMO_OPERATORS, DEMO_PASSWORD, DEMO_PEOPLE } from '@bourse/contract';

/**
 * The message when the exchange is ready: its address and, on a demo install, the accounts that can sign in. The same
 * for both ways to run.
 */
export function welcome(url: string, { demo }: { demo: boolean }): string {
  const lines = ['', `  Bourse is ready:  ${url}`, ''];
  if (demo) {
    const people = DEMO_PEOPLE.filter((person) => !person.cannotSignIn);
    const width = Math.max(...people.map((person) => person.email.length));
    lines.push(`  Demo accounts (password ${DEMO_PASSWORD}, fund password ${DEMO_FUND_PASSWORD}):`);
    for (const person of people) lines.push(`    ${person.email.padEnd(width)}  ${traits(person)}`);
    lines.push('', `  Operators, at ${url}/admin (the same password):`);
    for (const { username, roles } of DEMO_OPERATORS) lines.push(`    ${username.padEnd(width)}  ${roles.join(', ')}`);
    lines.push('');
  }
  lines.push('  Ctrl-C stops it; everything is kept. `npm run reset` starts again.', '');
  return lines.join('\n');
}

function traits(person: (typeof DEMO_PEOPLE)[number]): string {
  const known = [
    person.certified ? 'certified' : 'not certified',
    ...(person.fundPassword ? [] : ['no fund password']),
    ...(person.payment ? [] : ['no payment settings']),
    ...(person.phone ? [`+${person.phone.areaCode} ${person.phone.number}`] : []),
    ...(person.isSeller ? ['merchant'] : []),
    ...(person.isAcceptor ? ['acceptor'] : []),
    ...(person.region ? [`agent of ${person.region}`] : []),
  ];
  return known.join(', ');
}

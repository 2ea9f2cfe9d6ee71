/**
 * Matches a path of the contract as the calls name it (`/api/upload/:name`) with a requested path. One segment per
 * name; exact in everything else (api §1.1).
 */
export function matchesTemplate(template: string, path: string): boolean {
  if (!template.includes('/:')) return template === path;
  const [wanted, given] = [template.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}

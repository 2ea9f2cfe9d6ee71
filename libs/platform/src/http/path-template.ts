/**
 * A path of the contract as the calls name it (`/api/upload/:name`), against a path that was asked for. One segment per
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

import { Link } from 'react-router-dom';
import { NO_NUMBER, Num } from '@bourse/ui';
import { addressOf } from '../paths.js';

/** A person by id: leads to the page with everything about them. */
export function PersonLink({ id, children }: { id: number | string | null | undefined; children?: string }) {
  if (id === null || id === undefined || id === '') return <>{NO_NUMBER}</>;
  return (
    <Link to={addressOf('user', id)} className="underline underline-offset-2 hover:text-accent">
      <Num>{children ?? String(id)}</Num>
    </Link>
  );
}

/** Several people, one after another. */
export function PersonLinks({ ids }: { ids: readonly number[] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {ids.map((id) => (
        <PersonLink key={id} id={id} />
      ))}
    </span>
  );
}

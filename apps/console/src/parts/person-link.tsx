import { Link } from 'react-router-dom';
import { NO_NUMBER, Num } from '@bourse/ui';
import { usePerson } from '../core/people-names.js';
import { nameOf } from '../core/person-name.js';
import { addressOf } from '../paths.js';

/** A person by name and id: leads to the page with everything about them. */
export function PersonLink({ id }: { id: number | string | null | undefined }) {
  const person = usePerson(Number(id ?? 0));
  if (id === null || id === undefined || id === '' || Number(id) === 0) return <>{NO_NUMBER}</>;
  return (
    <span className="inline-flex min-w-0 flex-col">
      <Link to={addressOf('user', id)} className="underline underline-offset-2 hover:text-accent">
        {person ? <bdi>{nameOf(person)}</bdi> : <Num>{String(id)}</Num>}
      </Link>
      {person && <Num className="text-label text-t2">{String(id)}</Num>}
    </span>
  );
}

/** Several people, one after another. */
export function PersonLinks({ ids }: { ids: readonly number[] }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {ids.map((id) => (
        <PersonLink key={id} id={id} />
      ))}
    </span>
  );
}

import { useSearchParams } from 'react-router-dom';
import { kindOf } from '../model/complaint.js';
import { ComplaintList } from './complaint-list.js';
import { ComplaintThread } from './complaint-thread.js';

/** Complaints of the person: one by `id`, else the list; `kind` and `about` begin a new one. */
export default function Complaints() {
  const [query, setQuery] = useSearchParams();
  const id = query.get('id');
  if (id !== null) return <ComplaintThread key={id} id={id} />;
  const begins = query.has('kind') || query.has('about');
  const begun = begins ? { kind: kindOf(query.get('kind')), about: query.get('about') ?? '' } : null;
  return (
    <ComplaintList
      begun={begun}
      onBegin={() => setQuery({ kind: 'other' }, { replace: true })}
      onEnd={() => setQuery({}, { replace: true })}
      onOpen={(opened) => setQuery({ id: String(opened) }, { replace: true })}
    />
  );
}

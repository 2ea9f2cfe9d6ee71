import { useQuery } from '@tanstack/react-query';
import { adminRead } from './calls.js';
import { useOperator } from './operator.js';
import type { NamedPerson } from './person-name.js';

const PATH = '/api/admin/people';
/** The most people of one call, and how long ids are collected for it, ms. */
const NAMED_MAX = 100;
const COLLECT_MS = 10;
const KNOWN_MS = 600_000;

interface Waiting {
  readonly id: number;
  readonly named: (person: NamedPerson | null) => void;
  readonly failed: (error: unknown) => void;
}
let waiting: Waiting[] = [];

/** Reads the names for all rows of a screen with few calls: requests of one moment share a call. */
function readPerson(id: number): Promise<NamedPerson | null> {
  return new Promise((named, failed) => {
    if (waiting.length === 0) setTimeout(() => void readWaiting(), COLLECT_MS);
    waiting.push({ id, named, failed });
  });
}

async function readWaiting(): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let from = 0; from < all.length; from += NAMED_MAX) {
    const some = all.slice(from, from + NAMED_MAX);
    try {
      const ids = [...new Set(some.map(({ id }) => id))].join(',');
      const people = await adminRead(PATH, { ids }, new AbortController().signal);
      for (const { id, named } of some) named(people.find((person) => person.id === id) ?? null);
    } catch (error) {
      for (const { failed } of some) failed(error);
    }
  }
}

/** A person's names; null: there is no such person; undefined: still loading, or the read failed. */
export function usePerson(id: number): NamedPerson | null | undefined {
  const signedIn = useOperator((operator) => operator.token !== null);
  const { data } = useQuery({
    queryKey: ['admin', PATH, id],
    queryFn: () => readPerson(id),
    enabled: signedIn && id > 0,
    staleTime: KNOWN_MS,
    retry: false,
  });
  return data;
}

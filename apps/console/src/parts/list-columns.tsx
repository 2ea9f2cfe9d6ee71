import { Badge, Num, type Tone } from '@bourse/ui';
import type { ListColumn } from './list-page.js';
import { Money } from './money.js';
import { PersonLink } from './person-link.js';
import { When } from './when.js';

/** The translation of a key. */
type Words = (key: string) => string;

/** The first two columns of a list of all people's rows: the row's number and its owner. */
export const leading = <Row extends { readonly id: string; readonly user_id: number }>(
  t: Words,
): readonly ListColumn<Row>[] => [
  {
    id: 'id',
    label: t('console.people.id'),
    cell: ({ id }) => <Num className="break-all">{id}</Num>,
    csv: ({ id }) => id,
  },
  owner(t),
];

/** The column of the person who owns a row. */
export const owner = (t: Words): ListColumn<{ readonly user_id: number }> =>
  people('person', t('console.people.person'), ({ user_id: id }) => id);

/** The column of the time at which a row was created. */
export const created = (t: Words, wide = false): ListColumn<{ readonly create_time: string }> =>
  times('created', t('console.people.time'), ({ create_time: at }) => at, wide);

/** The same column without sorting; its text stays in the file. */
export const unsorted = <Row,>({ sort, ...column }: ListColumn<Row>): ListColumn<Row> => ({
  ...column,
  ...(sort && { csv: (row: Row) => String(sort(row)) }),
});

/** A column of words. */
export const words = <Row,>(id: string, label: string, text: (row: Row) => string): ListColumn<Row> => ({
  id,
  label,
  cell: (row) => <bdi>{text(row)}</bdi>,
  sort: text,
});

/** A column of exact amounts, sorted by size; the file has them as the server sent them. */
export const amounts = <Row,>(
  id: string,
  label: string,
  text: (row: Row) => string,
  wide = false,
): ListColumn<Row> => ({
  id,
  label,
  cell: (row) => <Money amount={text(row)} />,
  sort: text,
  end: true,
  wide,
});

/** A column of exact amounts with the coin of each row, sorted by amount whatever the coin. The file names the coin. */
export const coins = <Row,>(
  id: string,
  label: string,
  of: (row: Row) => readonly [amount: string, coin: string],
  wide = false,
): ListColumn<Row> => ({
  id,
  label,
  cell: (row) => {
    const [amount, coin] = of(row);
    return <Money amount={amount} currency={coin} />;
  },
  sort: (row) => of(row)[0],
  csv: (row) => of(row).join(' '),
  end: true,
  wide,
});

/** A column of people, as links to their pages. */
export const people = <Row,>(id: string, label: string, of: (row: Row) => number): ListColumn<Row> => ({
  id,
  label,
  cell: (row) => <PersonLink id={of(row)} />,
  sort: of,
});

/** A column of ids and counts. */
export const numbers = <Row,>(id: string, label: string, of: (row: Row) => string | number): ListColumn<Row> => ({
  id,
  label,
  cell: (row) => <Num className="break-all">{of(row)}</Num>,
  sort: of,
});

/** A column of states, each with its tone. */
export const states = <Row, State extends string | number>(
  label: string,
  of: (row: Row) => State,
  tones: Readonly<Record<State, Tone>>,
  text: (state: State) => string,
): ListColumn<Row> => ({
  id: 'state',
  label,
  cell: (row) => (
    <span>
      <Badge tone={tones[of(row)]}>{text(of(row))}</Badge>
    </span>
  ),
  sort: of,
});

/** A column of times. */
export const times = <Row,>(id: string, label: string, at: (row: Row) => string, wide = false): ListColumn<Row> => ({
  id,
  label,
  cell: (row) => <When time={at(row)} />,
  sort: at,
  wide,
});

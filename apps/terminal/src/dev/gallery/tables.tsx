import { Button, formatBookPrice, Num, Pagination, Table, type Column } from '@bourse/ui';
import { Group, type Part } from './group.js';

interface Line {
  id: string;
  pair: string;
  price: string;
  amount: string;
}
const LINES: readonly Line[] = Array.from({ length: 14 }, (_, at) => ({
  id: String(at),
  pair: ['BTC/USDT', 'ETH/USDT', 'XRP/BTC'][at % 3] ?? '',
  price: String(100 * at + 7.5),
  amount: `${at}.25`,
}));

/** Tables: long, loading, short, empty, and the choice of a page. */
export function Tables({ words }: Part) {
  const columns: Column<Line>[] = [
    {
      id: 'pair',
      header: words.pair,
      card: 'title',
      cell: (row) => <Num>{row.pair}</Num>,
    },
    {
      id: 'price',
      header: words.price,
      end: true,
      cell: (row) => <Num>{formatBookPrice(row.price, 2)}</Num>,
    },
    { id: 'amount', header: words.amount, end: true, priority: 'wide', cell: (row) => <Num>{row.amount}</Num> },
    {
      id: 'action',
      header: <span className="sr-only">{words.send}</span>,
      sticky: true,
      end: true,
      cell: () => (
        <Button size="small" kind="quiet">
          {words.send}
        </Button>
      ),
    },
  ];
  const table = { columns, rowKey: (row: Line) => row.id, empty: words.nothing };
  return (
    <Group id="tables" title={words.tables}>
      <div className="w-full">
        <Table {...table} label={words.tables} rows={LINES} />
      </div>
      <Table {...table} label={`${words.tables} 2`} rows={undefined} className="w-80" />
      <Table {...table} label={`${words.tables} 3`} rows={LINES.slice(0, 2)} className="w-80" />
      <Table {...table} label={`${words.tables} 4`} rows={[]} className="w-80" />
      <Pagination
        label={`${words.pages} 2`}
        previousLabel={words.previous}
        nextLabel={words.next}
        page={6}
        pages={20}
        onChange={() => undefined}
      />
    </Group>
  );
}

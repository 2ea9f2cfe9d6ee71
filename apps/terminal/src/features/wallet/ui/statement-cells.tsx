import { Link } from 'react-router-dom';
import type { WalletLog } from '@bourse/contract';
import { Num } from '@bourse/ui';
import { homeOfCause } from '../model/statement.js';

/** The cause in words, and the way to where it is at home. */
export function Cause({ row }: { row: WalletLog }) {
  const home = homeOfCause(row.cause_type);
  const words = (
    <>
      {row.info}
      {row.cause_id !== '' && (
        <span className="ms-1 text-t2">
          <Num>#{row.cause_id.length > 10 ? `${row.cause_id.slice(0, 8)}…` : row.cause_id}</Num>
        </span>
      )}
    </>
  );
  return home ? (
    <Link to={home} title={row.cause_id} className="underline decoration-line-strong underline-offset-2 hover:text-t1">
      {words}
    </Link>
  ) : (
    <span title={row.cause_id}>{words}</span>
  );
}

export function When({
  label,
  value,
  onChange,
  wrong,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  wrong: boolean;
}) {
  return (
    <label className="flex min-w-0 flex-col gap-1 max-md:col-span-2">
      <span className="text-table text-t2">{label}</span>
      <input
        type="datetime-local"
        value={value}
        aria-invalid={wrong || undefined}
        onChange={(event) => onChange(event.target.value)}
        className="h-10 min-w-0 rounded-panel border border-line-strong bg-bg2 px-2 text-table text-t1"
      />
    </label>
  );
}

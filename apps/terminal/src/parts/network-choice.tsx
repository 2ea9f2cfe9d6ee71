import { useId } from 'react';
import type { TypeData } from '@bourse/contract';
import { cx, Num } from '@bourse/ui';

/** The networks a coin travels on, as radio buttons; a coin with one says which it is. */
export function NetworkChoice({
  label,
  networks,
  value,
  onChange,
}: {
  label: string;
  networks: readonly TypeData[];
  value: number | undefined;
  onChange: (id: number) => void;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-table text-t2">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {networks.map(({ id, type }) => (
          <label
            key={id}
            className={cx(
              'flex h-9 cursor-pointer items-center rounded-panel border px-3 text-body ' +
                'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 ' +
                'has-[:focus-visible]:outline-accent',
              id === value ? 'border-accent text-t1' : 'border-line-strong text-t2 hover:text-t1',
            )}
          >
            <input
              type="radio"
              name={name}
              value={id}
              checked={id === value}
              onChange={() => onChange(id)}
              className="me-2 accent-[var(--accent)]"
            />
            <Num>{type}</Num>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

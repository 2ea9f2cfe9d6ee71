import { useState } from 'react';
import { cx } from './class-names.js';
import { placeOf } from './coin-colour.js';

/** Token colours of the discs; a coin keeps its colour because it is chosen by its name alone. */
const COLOURS = ['text-accent', 'text-info', 'text-warn', 'text-up', 'text-t1', 'text-down'] as const;

/**
 * The logo of a coin, or its first letters on a disc when it has none or the picture did not arrive. Decoration only.
 */
export function CoinIcon({ name, src = '', size = 24 }: { name: string; src?: string | undefined; size?: number }) {
  const [failed, setFailed] = useState('');
  if (src !== '' && failed !== src)
    return (
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        className="shrink-0 rounded-full"
        onError={() => setFailed(src)}
      />
    );
  return (
    <span
      aria-hidden
      style={{ width: size, height: size, fontSize: Math.max(8, Math.round(size * 0.36)) }}
      className={cx(
        'inline-grid shrink-0 place-items-center rounded-full border border-current bg-bg2 font-semibold select-none',
        COLOURS[placeOf(name, COLOURS.length)],
      )}
    >
      {name.slice(0, size >= 24 ? 2 : 1)}
    </span>
  );
}

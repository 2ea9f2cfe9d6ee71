import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cx } from './class-names.js';

const SHOWN_MS = 2_000;

/** Copies a text, and confirms it in place for two seconds; where the browser refuses, `onFail` is called. */
export function CopyIconButton({
  text,
  label,
  doneLabel,
  onFail,
  className,
}: {
  text: string;
  label: string;
  doneLabel: string;
  onFail?: () => void;
  className?: string;
}) {
  const [done, setDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      console.debug('the browser did not let the text be copied', error);
      return onFail?.();
    }
    setDone(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
      className={cx('inline-grid size-7 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1', className)}
    >
      {done ? <Check size={14} aria-hidden className="text-up" /> : <Copy size={14} aria-hidden />}
      <span className="sr-only" role="status">
        {done ? doneLabel : ''}
      </span>
    </button>
  );
}

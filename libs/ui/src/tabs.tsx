import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './class-names.js';

export interface Tab<T extends string> {
  id: T;
  label: ReactNode;
}
export interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (id: T) => void;
  /** `line` underlines the chosen tab, `pill` fills it. */
  look?: 'line' | 'pill';
  /** Tabs without room move into a second line; else they scroll sideways. Pills always do. */
  wraps?: boolean;
  /** Panel of the chosen tab; without it the tabs only filter, and no panel is announced. */
  children?: ReactNode;
  panelClassName?: string;
  end?: ReactNode;
}

/** A tab list after the ARIA pattern: arrows move and choose, Home and End jump. */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
  look = 'line',
  wraps = false,
  children,
  panelClassName,
  end,
}: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const at = tabs.findIndex((tab) => tab.id === value);
    const step = event.key === 'ArrowRight' ? (rtl ? -1 : 1) : event.key === 'ArrowLeft' ? (rtl ? 1 : -1) : 0;
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? tabs.length - 1
          : step === 0
            ? -1
            : (at + step + tabs.length) % tabs.length;
    const chosen = tabs[next];
    if (!chosen) return;
    event.preventDefault();
    onChange(chosen.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${chosen.id}"]`)?.focus();
  };
  const bar = (
    <div
      className={cx(
        // The content beside the tabs moves below them before a tab's text is cut.
        'flex min-w-0 flex-wrap items-center justify-between gap-x-2',
        look === 'line' && 'border-b border-line',
      )}
    >
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKey}
        className={cx(
          'flex min-w-0 max-w-full',
          look === 'pill' ? 'gap-0.5' : 'gap-x-4 px-3',
          look === 'pill' || wraps ? 'flex-wrap' : 'overflow-x-auto',
        )}
      >
        {tabs.map((tab) => {
          const chosen = tab.id === value;
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              data-tab={tab.id}
              id={`${id}-${tab.id}`}
              aria-selected={chosen}
              aria-controls={children === undefined ? undefined : `${id}-panel`}
              tabIndex={chosen ? 0 : -1}
              onClick={() => onChange(tab.id)}
              className={cx(
                'shrink-0 whitespace-nowrap text-body font-medium',
                look === 'line' ? 'h-9 border-b-2' : 'h-7 rounded-chip px-1.5',
                chosen
                  ? look === 'line'
                    ? 'border-accent text-t1'
                    : 'bg-bg3 text-t1'
                  : 'border-transparent text-t2 hover:text-t1',
              )}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      {end}
    </div>
  );
  if (children === undefined) return bar;
  return (
    <>
      {bar}
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={-1}
        className={panelClassName}
      >
        {children}
      </div>
    </>
  );
}

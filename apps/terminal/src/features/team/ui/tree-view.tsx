import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { cx, Num } from '@bourse/ui';
import { hasBelow, windowOf, type TreeRow } from '../model/tree.js';

const ROW_HEIGHT = 36;
const MOST_ROWS = 14;
/** Deeper levels are indented no further: a long chain must stay visible. */
const DEEPEST_INSET = 12;

/** A tree of which only the lines in sight are drawn. Arrows move, open and close; Home and End jump. */
export function TreeView({
  label,
  rows,
  onToggle,
  onMore,
}: {
  label: string;
  rows: readonly TreeRow[];
  onToggle: (id: number) => void;
  onMore: (row: TreeRow & { kind: 'more' }) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [activeKey, setActiveKey] = useState<string>();
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  );
  const height = Math.min(rows.length, MOST_ROWS) * ROW_HEIGHT;
  const { from, to } = windowOf(rows.length, { scrolled, height, rowHeight: ROW_HEIGHT });
  useEffect(() => {
    if (activeKey === undefined || !box.current) return;
    const top = active * ROW_HEIGHT;
    if (top < box.current.scrollTop) box.current.scrollTop = top;
    else if (top + ROW_HEIGHT > box.current.scrollTop + height) box.current.scrollTop = top + ROW_HEIGHT - height;
  }, [activeKey, active, height]);
  const act = (row: TreeRow): void => {
    if (row.kind === 'more') onMore(row);
    else if (hasBelow(row.member)) onToggle(row.member.id);
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const row = rows[active];
    if (!row) return;
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const forward = rtl ? 'ArrowLeft' : 'ArrowRight';
    const back = rtl ? 'ArrowRight' : 'ArrowLeft';
    const go = (at: number): void => setActiveKey(rows[Math.max(0, Math.min(rows.length - 1, at))]?.key);
    if (event.key === 'ArrowDown') go(active + 1);
    else if (event.key === 'ArrowUp') go(active - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(rows.length - 1);
    else if (event.key === 'Enter' || event.key === ' ') act(row);
    else if (event.key === forward && row.kind === 'member' && hasBelow(row.member)) {
      if (row.open) go(active + 1);
      else onToggle(row.member.id);
    } else if (event.key === back) {
      if (row.kind === 'member' && row.open) onToggle(row.member.id);
      else go(rows.findLastIndex(({ level }, at) => at < active && level < row.level));
    } else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={rows[active] && active >= from && active < to ? `${id}-${rows[active].key}` : undefined}
      onKeyDown={onKey}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      className="overflow-y-auto overscroll-contain"
      style={{ height }}
    >
      <div role="presentation" className="relative" style={{ height: rows.length * ROW_HEIGHT }}>
        {rows.slice(from, to).map((row, at) => (
          <Row
            key={row.key}
            id={`${id}-${row.key}`}
            row={row}
            top={(from + at) * ROW_HEIGHT}
            active={row.key === activeKey}
            onPress={() => {
              setActiveKey(row.key);
              act(row);
            }}
          />
        ))}
      </div>
    </div>
  );
}

function Row({
  id,
  row,
  top,
  active,
  onPress,
}: {
  id: string;
  row: TreeRow;
  top: number;
  active: boolean;
  onPress: () => void;
}) {
  const { t } = useTranslation();
  const member = row.kind === 'member' ? row.member : undefined;
  const below = member !== undefined && hasBelow(member);
  const Chevron = row.kind === 'member' && row.open ? ChevronDown : ChevronRight;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-selected={active}
      aria-expanded={row.kind === 'member' && below ? row.open : undefined}
      onClick={onPress}
      className={cx(
        'absolute inset-x-0 flex items-center gap-2 border-b border-line pe-4 text-body hover:bg-bg2',
        active && 'bg-bg2',
        (below || !member) && 'cursor-pointer',
      )}
      style={{
        top,
        height: ROW_HEIGHT,
        paddingInlineStart: `${Math.min(row.level, DEEPEST_INSET) * 1.25 - 0.25}rem`,
      }}
    >
      <span className="grid size-4 shrink-0 place-items-center text-t2">
        {below && <Chevron size={16} aria-hidden className="rtl:-scale-x-100" />}
      </span>
      {member ? (
        <>
          <Num className="min-w-0 truncate">{member.name === '' ? `#${member.id}` : member.name}</Num>
          <Num className="text-table text-t2">{`#${member.id}`}</Num>
          {below && (
            <span className="ms-auto shrink-0 text-table text-t2">
              {t('team.invited')} <Num>{member.direct}</Num>
            </span>
          )}
        </>
      ) : (
        <span className="underline">{t('common.loadMore')}</span>
      )}
    </div>
  );
}

import { Check } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamTree } from '@bourse/contract';
import { atMost, Button, Field, grouped, Num, Panel, Skeleton, Stat } from '@bourse/ui';
import { useSession } from '../../../core/session.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { useSubmission } from '@bourse/web';
import { FormError } from '../../../forms/form-card.js';
import { readMembers, useTeam } from '../api/team.js';
import { nextRank, type Need } from '../model/rank.js';
import { nextPart, rowsOf, type Team as Tree } from '../model/tree.js';
import { TreeView } from './tree-view.js';

const Qr = lazy(() => import('../../../parts/qr.js'));
type Figures = TeamTree['show_message'];

/** The person's team: what it has come to, how people join it, and who is in it. */
export default function Team() {
  const { t } = useTranslation();
  const query = useTeam();
  const failed = query.isError && !query.data;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('nav.team')}</h1>
        <LinkButton to="/account/profit">{t('nav.profit')}</LinkButton>
      </div>
      {failed ? (
        <Failed retry={() => void query.refetch()} />
      ) : (
        <>
          <Summary figures={query.data?.figures} />
          {query.data && (
            <>
              <Invitation />
              <Members team={query.data.team} />
            </>
          )}
        </>
      )}
    </div>
  );
}

function Summary({ figures }: { figures: Figures | undefined }) {
  const { t } = useTranslation();
  const next = figures && nextRank(figures);
  const rank = figures && (figures.rank === 0 ? t('team.member') : t('team.partner', { rank: figures.rank }));
  return (
    <Panel className="flex flex-col gap-4 p-4">
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-4">
        <Stat
          label={t('team.performance')}
          value={figures && grouped(atMost(figures.top_upnumber, 2))}
          unit="USD"
          hint={t('team.performanceHint')}
        />
        <Stat label={t('team.verified')} value={figures && String(figures.real_teamnumber)} />
        <Stat label={t('team.direct')} value={figures && String(figures.direct)} />
        <div className="flex flex-col gap-0.5">
          <span className="text-table text-t2">{t('team.rank')}</span>
          {rank === undefined ? (
            <Skeleton className="h-7 w-24" />
          ) : (
            <span className="text-last font-semibold">{rank}</span>
          )}
        </div>
      </div>
      {figures && (
        <div className="flex flex-col gap-2 border-t border-line pt-3">
          <h2 className="text-body font-medium">{next ? t('team.next', { rank: next.rank }) : t('team.highest')}</h2>
          {next && (
            <ul className="grid gap-3 md:grid-cols-3">
              {next.needs.map((need) => (
                <NeedLine key={need.what} need={need} />
              ))}
            </ul>
          )}
          <p className="text-table text-t2">{t('team.keeps')}</p>
        </div>
      )}
    </Panel>
  );
}

const NEED_TEXT = { direct: 'team.direct', team: 'team.verified', topUp: 'team.performance' } as const;

function NeedLine({ need: { what, have, needed, met } }: { need: Need }) {
  const { t } = useTranslation();
  const part = Math.min(100, (Number(have) / Number(needed)) * 100);
  return (
    <li className="flex flex-col gap-1 text-table">
      <span className="flex items-center justify-between gap-2">
        <span className="text-t2">{t(NEED_TEXT[what])}</span>
        <span className="flex items-center gap-1">
          {met && <Check size={14} role="img" aria-label={t('team.met')} className="text-up" />}
          <Num>{`${grouped(atMost(have, 2))} / ${grouped(needed)}`}</Num>
        </span>
      </span>
      <span aria-hidden className="h-1 overflow-hidden rounded-chip bg-bg3">
        <span className={met ? 'block h-full bg-up' : 'block h-full bg-info'} style={{ width: `${part}%` }} />
      </span>
    </li>
  );
}

/** The link that brings people into the team, as text and as a picture for phones. */
function Invitation() {
  const { t } = useTranslation();
  const code = useSession((session) => session.info?.extension_code);
  const link = code && `${window.location.origin}/register?extension_code=${encodeURIComponent(code)}`;
  return (
    <Panel className="flex flex-col gap-4 p-4 md:flex-row">
      <div className="grid size-40 shrink-0 place-items-center rounded-panel bg-[#fff]">
        {link && (
          <Suspense fallback={null}>
            <Qr value={link} title={t('team.qr')} />
          </Suspense>
        )}
      </div>
      <div className="flex min-w-0 flex-col items-start gap-2">
        <h2 className="text-title font-semibold">{t('team.invite')}</h2>
        <p className="max-w-prose text-t2">{t('team.inviteText')}</p>
        {link ? (
          <bdi dir="ltr" className="max-w-full break-all">
            {link}
          </bdi>
        ) : (
          <Skeleton className="h-5 w-64" />
        )}
        <CopyButton text={link ?? ''} what={t('team.invite')} />
      </div>
    </Panel>
  );
}

/** Larger teams are not read whole for a search. */
const READ_MAX = 20_000;
/** Between two parts: reads are counted. */
const PAUSE_MS = 25;

/** While something is sought, reads what is unread of the team, part after part. Answers whether more is on its way. */
function useWholeTeam(team: Tree | undefined, seeking: boolean): boolean {
  const asked = useRef(new Set<number>());
  const [failed, setFailed] = useState(false);
  const part = useMemo(
    () => (seeking && team && !failed && team.members.size < READ_MAX ? nextPart(team, asked.current) : undefined),
    [seeking, team, failed],
  );
  useEffect(() => {
    if (!part) return undefined;
    const timer = setTimeout(() => {
      if (part.of !== undefined) asked.current.add(part.of);
      readMembers(part.of, part.after).catch((error: unknown) => {
        console.warn('team not read', error);
        setFailed(true);
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [part]);
  return part !== undefined;
}

function Members({ team }: { team: Tree | undefined }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [search, setSearch] = useState('');
  const sought = useDeferredValue(search);
  const reading = useSubmission();
  const seeking = sought.trim() !== '';
  const readsOn = useWholeTeam(team, seeking);
  const rows = useMemo(() => team && rowsOf(team, open, sought), [team, open, sought]);
  const load = (of: number | undefined, after: number | undefined): void => {
    void reading.run(() => readMembers(of, after));
  };
  const toggle = (id: number): void => {
    const opens = !open.has(id);
    setOpen(new Set(opens ? [...open, id] : [...open].filter((other) => other !== id)));
    const member = team?.members.get(id);
    if (opens && member && member.children.length === 0 && member.direct > 0) load(id, undefined);
  };
  const all = [...(team?.members.values() ?? [])].filter(({ children }) => children.length > 0);
  return (
    <Panel>
      <div className="flex flex-wrap items-end justify-between gap-3 border-b border-line px-4 py-3">
        <h2 className="text-title font-semibold">{t('team.members')}</h2>
        {team && team.roots.length > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <Button size="small" onClick={() => setOpen(new Set(all.map(({ id }) => id)))}>
              {t('team.openAll')}
            </Button>
            <Button size="small" onClick={() => setOpen(new Set())}>
              {t('team.closeAll')}
            </Button>
            <Field
              compact
              className="w-full md:w-56"
              label={t('common.search')}
              type="search"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
        )}
      </div>
      {!team || !rows || (rows.length === 0 && readsOn) ? (
        <Skeleton className="m-4 h-40" />
      ) : team.roots.length === 0 ? (
        <p className="p-6 text-center text-t2">{t('team.empty')}</p>
      ) : rows.length === 0 ? (
        <p role="status" className="p-6 text-center text-t2">
          {t('team.notFound')}
        </p>
      ) : (
        <TreeView label={t('team.members')} rows={rows} onToggle={toggle} onMore={({ of, after }) => load(of, after)} />
      )}
      <FormError>{reading.refusal}</FormError>
    </Panel>
  );
}

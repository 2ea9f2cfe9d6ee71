import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Checkbox, Dialog, Field } from '@bourse/ui';
import { useMay } from '../../../core/operator.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { FREEZE_SCOPES, resetsOf, roleChange, titleOf, type PersonFile, type Reset } from '../model/person.js';
import { FROZEN_TEXTS } from './words.js';

type Act = 'freeze' | 'roles' | Reset;
const RESET_TEXTS: Readonly<Record<Reset, { readonly button: string; readonly explain: string }>> = {
  sessions: { button: 'console.users.resetSessions', explain: 'console.users.resetSessionsExplain' },
  totp: { button: 'console.users.resetTotp', explain: 'console.users.resetTotpExplain' },
  fund: { button: 'console.users.resetFund', explain: 'console.users.resetFundExplain' },
};

/** The acts of operators on a person; the server checks the role again. */
export function PersonActs({ person }: { person: PersonFile }) {
  const { t } = useTranslation();
  const [act, setAct] = useState<Act | null>(null);
  const mayName = useMay('admin');
  const close = (): void => setAct(null);
  const fresh = [`/api/admin/users/${person.id}`, '/api/admin/users', '/api/admin/audit', '/api/admin/approvals'];
  const name = titleOf(person);
  const reset = act === 'sessions' || act === 'totp' || act === 'fund' ? act : null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" kind="danger" onClick={() => setAct('freeze')}>
        {t('console.users.freeze')}
      </Button>
      {resetsOf(person).map((what) => (
        <Button key={what} size="small" onClick={() => setAct(what)}>
          {t(RESET_TEXTS[what].button)}
        </Button>
      ))}
      {mayName && (
        <Button size="small" onClick={() => setAct('roles')}>
          {t('console.users.changeRoles')}
        </Button>
      )}
      <ActDialog
        open={act === 'freeze'}
        onClose={close}
        title={t('console.users.freezeTitle', { name })}
        explain={t('console.users.freezeExplain')}
        fields={[
          {
            name: 'scope',
            label: t('console.users.scope'),
            kind: 'choice',
            required: true,
            options: FREEZE_SCOPES.map((value) => ({ value, label: t(FROZEN_TEXTS[value]) })),
          },
        ]}
        danger
        action={t('console.users.setFreeze')}
        path="/api/admin/users/freeze"
        body={{ user_id: person.id }}
        invalidate={fresh}
      />
      {reset && (
        <ActDialog
          open
          onClose={close}
          title={t(RESET_TEXTS[reset].button)}
          explain={t(RESET_TEXTS[reset].explain, { name })}
          danger
          action={t(RESET_TEXTS[reset].button)}
          path="/api/admin/users/reset"
          body={{ user_id: person.id, what: reset }}
          invalidate={fresh}
        />
      )}
      {act === 'roles' && <Roles person={person} fresh={fresh} onClose={close} />}
    </div>
  );
}

/** Roles first, then the reason; only changed fields are sent. */
function Roles({ person, fresh, onClose }: { person: PersonFile; fresh: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState({
    isSeller: person.is_seller === 1,
    isAcceptor: person.is_acceptor === 1,
    inPoints: person.type === 1,
    region: person.region,
  });
  const [asked, setAsked] = useState(false);
  const change = roleChange(person, wanted);
  if (asked)
    return (
      <ActDialog
        open
        onClose={onClose}
        title={t('console.users.changeRoles')}
        explain={Object.entries(change)
          .map(([name, value]) => `${name}: ${value}`)
          .join(', ')}
        action={t('console.users.saveRoles')}
        path="/api/admin/users/role"
        body={{ user_id: person.id, ...change }}
        invalidate={fresh}
      />
    );
  const flags = [
    ['isSeller', 'console.users.seller'],
    ['isAcceptor', 'console.users.acceptor'],
    ['inPoints', 'console.users.points'],
  ] as const;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('console.users.changeRoles')}
      description={t('console.users.rolesExplain')}
      closeLabel={t('common.close')}
      actions={
        <Button kind="primary" disabled={Object.keys(change).length === 0} onClick={() => setAsked(true)}>
          {t('console.people.goOn')}
        </Button>
      }
    >
      {flags.map(([name, text]) => (
        <Checkbox
          key={name}
          label={t(text)}
          checked={wanted[name]}
          onChange={(event) => setWanted({ ...wanted, [name]: event.target.checked })}
        />
      ))}
      <Field
        label={t('console.users.agentRegion')}
        hint={t('console.users.regionHint')}
        value={wanted.region}
        maxLength={121}
        onChange={(event) => setWanted({ ...wanted, region: event.target.value })}
      />
    </Dialog>
  );
}

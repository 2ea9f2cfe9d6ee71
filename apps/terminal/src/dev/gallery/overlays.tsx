import { useState } from 'react';
import { Button, Dialog, Menu, MenuItem, ToastList } from '@bourse/ui';
import { Group, type Part } from './group.js';

/** Overlays: dialogs, menus, toasts. */
export function Overlays({ words }: Part) {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'drawer' | undefined>();
  const [toasts, setToasts] = useState(['done', 'info', 'error'] as ('done' | 'info' | 'error')[]);
  return (
    <Group id="overlays" title={words.overlays}>
      {(['dialog', 'sheet', 'drawer'] as const).map((shape) => (
        <Button key={shape} data-open={shape} onClick={() => setOpen(shape)}>
          {words.open} ({shape})
        </Button>
      ))}
      <Menu label={words.choices} trigger={words.choices} align="start">
        <MenuItem onSelect={() => undefined}>{words.first}</MenuItem>
        <MenuItem onSelect={() => undefined} checked>
          {words.second}
        </MenuItem>
      </Menu>
      <Dialog
        open={open !== undefined}
        shape={open ?? 'dialog'}
        onClose={() => setOpen(undefined)}
        title={words.first}
        description={words.hint}
        closeLabel={words.close}
        actions={<Button kind="primary">{words.send}</Button>}
      />
      <ToastList
        label={`${words.messages}: ${words.first}`}
        closeLabel={words.close}
        className="bottom-10"
        onClose={(id) => setToasts(toasts.filter((tone) => tone !== id))}
        toasts={toasts.map((tone) => ({
          id: tone,
          tone,
          turn: 0,
          text: words.first,
          detail: words.hint,
          ...(tone === 'info' ? { actions: [{ label: words.send, onClick: () => undefined }] } : {}),
        }))}
      />
    </Group>
  );
}

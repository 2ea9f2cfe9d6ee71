import { Bell } from 'lucide-react';
import { Button, CountBadge } from '@bourse/ui';
import { Group, type Part } from './group.js';

const KINDS = ['primary', 'secondary', 'quiet', 'buy', 'sell', 'danger'] as const;

/** Buttons of every kind and size, and marks that count. */
export function Buttons({ words }: Part) {
  return (
    <Group id="buttons" title={words.buttons}>
      {KINDS.map((kind) => (
        <div key={kind} className="flex flex-col gap-2">
          <Button kind={kind}>{words.send}</Button>
          <Button kind={kind} disabled>
            {words.send}
          </Button>
          <Button kind={kind} busy>
            {words.send}
          </Button>
          <Button kind={kind} size="small">
            {words.send}
          </Button>
        </div>
      ))}
      <button type="button" aria-label={`${words.messages}: 3`} className="relative grid size-9 place-items-center">
        <Bell size={16} aria-hidden />
        <CountBadge count={3} />
      </button>
      <button type="button" aria-label={`${words.messages}: 99+`} className="relative grid size-9 place-items-center">
        <Bell size={16} aria-hidden />
        <CountBadge count={120} />
      </button>
    </Group>
  );
}

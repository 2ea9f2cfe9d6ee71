import { Alert, Badge, Button, Empty, Skeleton } from '@bourse/ui';
import { Group, type Part } from './group.js';

/** Messages of every tone, badges and empty states. */
export function Messages({ words }: Part) {
  return (
    <Group id="messages" title={words.messages}>
      {(['info', 'done', 'warn', 'error'] as const).map((tone) => (
        <Alert
          key={tone}
          tone={tone}
          title={words.first}
          className="w-72"
          onClose={() => undefined}
          closeLabel={words.close}
        >
          {words.hint}
        </Alert>
      ))}
      <Alert className="w-72" action={<Button size="small">{words.send}</Button>}>
        {words.hint}
      </Alert>
      {(['plain', 'info', 'up', 'down', 'warn', 'accent'] as const).map((tone) => (
        <Badge key={tone} tone={tone} title={words.hint}>
          {words.short}
        </Badge>
      ))}
      <div className="w-64">
        <Empty action={<Button size="small">{words.send}</Button>}>{words.nothing}</Empty>
      </div>
      <Skeleton className="h-6 w-40" />
    </Group>
  );
}

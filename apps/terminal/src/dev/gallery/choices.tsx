import { useState } from 'react';
import { Checkbox, RadioGroup, Segmented, Stepper, Switch, Tabs } from '@bourse/ui';
import { Group, type Part } from './group.js';

/** Boxes, switches, segments, tabs, steps. */
export function Choices({ words }: Part) {
  const [on, setOn] = useState(true);
  const [speed, setSpeed] = useState<'a' | 'b' | 'c'>('a');
  const [tab, setTab] = useState<'a' | 'b'>('a');
  const choices = [
    { value: 'a', label: words.first, hint: words.hint },
    { value: 'b', label: words.second },
    { value: 'c', label: words.third, disabled: true },
  ] as const;
  return (
    <Group id="choices" title={words.choices}>
      <div className="flex flex-col">
        <Checkbox label={words.agree} defaultChecked />
        <Checkbox label={words.agree} />
        <Checkbox label={words.agree} aria-invalid />
        <Checkbox label={words.agree} disabled defaultChecked />
      </div>
      <div className="flex w-64 flex-col gap-3">
        <Switch label={words.agree} hint={words.hint} checked={on} onChange={setOn} />
        <Switch label={words.agree} checked={false} onChange={() => undefined} />
        <Switch label={words.agree} checked disabled onChange={() => undefined} />
        <Switch label={words.agree} checked busy onChange={() => undefined} />
      </div>
      <RadioGroup label={words.choices} value={speed} choices={choices} onChange={setSpeed} />
      <Segmented label={words.choices} value={speed} choices={choices} onChange={setSpeed} />
      <Segmented label={words.second} value={speed} choices={choices} onChange={setSpeed} look="bare" />
      {(['line', 'pill'] as const).map((look) => (
        <Tabs
          key={look}
          label={`${words.choices} ${look}`}
          look={look}
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'a', label: words.first },
            { id: 'b', label: words.second },
          ]}
        />
      ))}
      <Stepper
        label={words.choices}
        current={1}
        doneLabel={words.done}
        steps={[
          { id: 'a', title: words.first },
          { id: 'b', title: words.second, hint: words.hint },
          { id: 'c', title: words.third },
        ]}
      />
    </Group>
  );
}

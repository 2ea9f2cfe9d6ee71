import { useState, type ReactNode } from 'react';
import { Bell } from 'lucide-react';
import {
  Alert,
  Badge,
  Button,
  Change,
  Checkbox,
  CoinIcon,
  Combobox,
  compareTexts,
  CopyIconButton,
  CountBadge,
  DataTable,
  DateRange,
  DescriptionList,
  Dialog,
  Empty,
  Field,
  formatBookPrice,
  Menu,
  MenuItem,
  Num,
  Pagination,
  PercentSlider,
  Popover,
  RadioGroup,
  Segmented,
  Select,
  Skeleton,
  Stat,
  Stepper,
  Switch,
  Table,
  Tabs,
  ToastList,
  Tooltip,
  type DataColumn,
} from '@bourse/ui';
import { current } from '../core/i18n.js';
import { WORDS, type Words } from './gallery-words.js';

/** Every part of `@bourse/ui` in each of its states, for the eye and for axe. Development installs serve it alone. */
export default function Gallery() {
  const words = WORDS[current() === 'ar' ? 'ar' : 'en'];
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-6 p-6">
      <h1 className="text-last font-semibold">{words.title}</h1>
      <Buttons words={words} />
      <Fields words={words} />
      <Choices words={words} />
      <Messages words={words} />
      <Figures words={words} />
      <Tables words={words} />
      <Overlays words={words} />
    </div>
  );
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section data-group={id} className="rounded-panel border border-line bg-bg1 p-4">
      <h2 className="mb-3 text-title font-semibold">{title}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  );
}

type Part = { words: Words };
const KINDS = ['primary', 'secondary', 'quiet', 'buy', 'sell', 'danger'] as const;

function Buttons({ words }: Part) {
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
      <CopyIconButton text="0x00a1" label={words.copy} doneLabel={words.done} />
      <Tooltip text={words.hint}>
        <Button>{words.help}</Button>
      </Tooltip>
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

function Fields({ words }: Part) {
  const [coin, setCoin] = useState<string | undefined>('BTC');
  const [percent, setPercent] = useState(25);
  const coins = ['BTC', 'ETH', 'USDT', 'XRP'].map((name) => ({
    value: name,
    text: name,
    row: (
      <span className="flex items-center gap-2">
        <CoinIcon name={name} size={16} /> <Num>{name}</Num>
      </span>
    ),
  }));
  return (
    <Group id="fields" title={words.fields}>
      <Field label={words.amount} numeric suffix={<Num>USDT</Num>} defaultValue="1234.50" className="w-56" />
      <Field label={words.amount} compact numeric placeholder="0.00" className="w-56" />
      <Field label={words.amount} hint={words.hint} className="w-56" />
      <Field label={words.amount} error={words.wrong} className="w-56" />
      <Field label={words.address} mono defaultValue="0x00000000000000000000000000000000000000a1" className="w-56" />
      <Field label={words.amount} disabled defaultValue="1" className="w-56" />
      <Select
        label={words.coin}
        value="a"
        onChange={() => undefined}
        options={[
          { value: 'a', label: 'BTC' },
          { value: 'b', label: 'ETH' },
        ]}
      />
      <Combobox
        label={words.coin}
        options={coins}
        value={coin}
        onChange={setCoin}
        empty={words.nothing}
        className="w-56"
      />
      <Combobox
        label={words.coin}
        options={coins}
        value={undefined}
        onChange={setCoin}
        empty={words.nothing}
        placeholder={words.search}
        error={words.wrong}
        className="w-56"
      />
      <Combobox
        label={words.coin}
        options={coins}
        value="ETH"
        onChange={setCoin}
        empty={words.nothing}
        disabled
        className="w-56"
      />
      <DateRange
        label={words.range}
        fromLabel={words.from}
        toLabel={words.to}
        value={{ from: '2026-11-16', to: '2026-11-22' }}
        today="2026-11-22"
        presets={[
          { days: 1, label: words.day },
          { days: 7, label: words.week },
        ]}
        error={words.wrong}
        onChange={() => undefined}
      />
      <DateRange
        label={words.range}
        fromLabel={words.from}
        toLabel={words.to}
        value={{ from: '2026-11-22', to: '2026-11-01' }}
        today="2026-11-22"
        presets={[]}
        error={words.wrong}
        onChange={() => undefined}
      />
      <div className="w-56">
        <PercentSlider label={words.part} value={percent} onChange={setPercent} />
      </div>
    </Group>
  );
}

function Choices({ words }: Part) {
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

function Messages({ words }: Part) {
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

function Figures({ words }: Part) {
  return (
    <Group id="figures" title={words.figures}>
      <Stat label={words.amount} value="48,320.44" unit="USDT" change="2.41" hint={words.hint} />
      <Stat label={words.amount} value="48,320.44" change="-0.40" />
      <Stat label={words.amount} value={undefined} />
      <DescriptionList
        className="w-56"
        facts={[
          { id: 'a', name: words.amount, value: <Num>0.05 BTC</Num> },
          { id: 'b', name: words.address, value: <Num>0x00…00a1</Num> },
          { id: 'c', name: words.coin, value: undefined },
        ]}
      />
      {['BTC', 'ETH', 'USDT', 'XRP', 'LTC', 'DOGE'].map((name) => (
        <CoinIcon key={name} name={name} size={32} />
      ))}
      <CoinIcon name="ADA" size={16} />
      <Num>{formatBookPrice('55830', 2)}</Num>
      <Change value="0" />
    </Group>
  );
}

interface Line {
  id: string;
  pair: string;
  price: string;
  amount: string;
}
const LINES: readonly Line[] = Array.from({ length: 14 }, (_, at) => ({
  id: String(at),
  pair: ['BTC/USDT', 'ETH/USDT', 'XRP/BTC'][at % 3] ?? '',
  price: String(100 * at + 7.5),
  amount: `${at}.25`,
}));

function Tables({ words }: Part) {
  const columns: DataColumn<Line>[] = [
    {
      id: 'pair',
      header: words.pair,
      card: 'title',
      cell: (row) => <Num>{row.pair}</Num>,
      compare: (one, other) => one.pair.localeCompare(other.pair),
      text: (row) => row.pair,
    },
    {
      id: 'price',
      header: words.price,
      end: true,
      cell: (row) => <Num>{formatBookPrice(row.price, 2)}</Num>,
      compare: (one, other) => compareTexts(one.price, other.price),
    },
    { id: 'amount', header: words.amount, end: true, priority: 'wide', cell: (row) => <Num>{row.amount}</Num> },
    {
      id: 'action',
      header: <span className="sr-only">{words.send}</span>,
      sticky: true,
      end: true,
      cell: () => (
        <Button size="small" kind="quiet">
          {words.send}
        </Button>
      ),
    },
  ];
  const table = { columns, rowKey: (row: Line) => row.id, empty: words.nothing };
  return (
    <Group id="tables" title={words.tables}>
      <div className="w-full">
        <DataTable
          {...table}
          label={words.tables}
          rows={LINES}
          pageSize={5}
          words={{
            filter: words.search,
            nothingFound: words.nothing,
            pages: words.pages,
            previous: words.previous,
            next: words.next,
          }}
        />
      </div>
      <Table {...table} label={`${words.tables} 2`} rows={undefined} className="w-80" />
      <Table {...table} label={`${words.tables} 3`} rows={LINES.slice(0, 2)} className="w-80" />
      <Table {...table} label={`${words.tables} 4`} rows={[]} className="w-80" />
      <Pagination
        label={`${words.pages} 2`}
        previousLabel={words.previous}
        nextLabel={words.next}
        page={6}
        pages={20}
        onChange={() => undefined}
      />
    </Group>
  );
}

function Overlays({ words }: Part) {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'drawer' | undefined>();
  const [toasts, setToasts] = useState(['done', 'info', 'error'] as ('done' | 'info' | 'error')[]);
  return (
    <Group id="overlays" title={words.overlays}>
      {(['dialog', 'sheet', 'drawer'] as const).map((shape) => (
        <Button key={shape} data-open={shape} onClick={() => setOpen(shape)}>
          {words.open} ({shape})
        </Button>
      ))}
      <Popover label={words.help} trigger={words.help} align="start">
        <p className="w-48">{words.hint}</p>
      </Popover>
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

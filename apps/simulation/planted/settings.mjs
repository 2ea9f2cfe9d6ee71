// Mistakes in settings, and in timers, which all products share.
const settings = 'libs/settings/src/settings.ts';
const settingsSuite = 'libs/settings/test/integration/settings.int.test.ts';
const timers = 'libs/persistence/src/tables/timers.ts';
const timersSuite = 'libs/persistence/test/integration/timers.int.test.ts';

export default [
  {
    id: 'setting-01',
    what: 'a value that was read late replaces a newer one',
    breaks: 'SETTING-004',
    file: settings,
    find: 'if (known && known.version > held.version) next.set(key, known);',
    replace: 'if (known && known.version < 0) next.set(key, known);',
    test: settingsSuite,
    name: 'a read from before a change that arrives after it replaces nothing',
  },
  {
    id: 'setting-02',
    what: 'a rule between two settings is checked without a lock',
    breaks: 'SETTING-002',
    file: settings,
    find: `await this.rows.lock(tx);
    const stored = await this.rows.read(tx);
    const before = this.textOf(setting, stored);`,
    replace: `const stored = await this.rows.read(tx);
    const before = this.textOf(setting, stored);`,
    test: settingsSuite,
    name: 'of two changes that break a rule only together, one is refused',
  },
  {
    id: 'timer-01',
    what: 'a timer fires before its time',
    breaks: 'TIMER-001',
    file: timers,
    find: '[...this.handlers.keys()], this.clock.now(), size',
    replace: '[...this.handlers.keys()], this.clock.now() + 3_600_000, size',
    test: timersSuite,
    name: 'timers fire in the order they fall due, each with its own due time, once',
  },
  {
    id: 'timer-02',
    what: 'the loop does not wake for a timer that is set earlier than the next one',
    breaks: 'TIMER-007',
    file: timers,
    find: 'if (dueAt < this.sleepsUntil) this.wakeUp();',
    replace: '',
    test: timersSuite,
    name: 'the loop wakes for the next timer, for an earlier one, and for a clock that jumps',
  },
];

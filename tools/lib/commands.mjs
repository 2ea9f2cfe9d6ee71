// The commands of `bourse` with their options, parsed and validated by commander, and the programs behind them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { become, fail, isDevelopmentClone, nodeFlags, programFile, root } from './clone.mjs';

const DATA_DIR = ['--data-dir <dir>', 'the folder of the install; default: DATA_DIR, else .data'];
const ADDRESS = ['--url <url>', 'address of the exchange; default: BOURSE_URL, else http://127.0.0.1:8080'];
const JSON_OUT = ['--json', 'one JSON value on standard output'];
const SIGN_IN =
  'Where it is no demo install, sign in before by `bourse login`, or set OPERATOR_TOKEN, or OPERATOR_NAME,\n' +
  'OPERATOR_PASSWORD and OPERATOR_TOTP for this one command.\n';
const EXIT_CODES = '\nExit codes: 0 done; 1 refused or failed, with the reason on standard error.';

function count(text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

/** The commands; `prepare` is called before the first program that needs the build. */
export function commands({ prepare = async () => undefined } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bourse = new Command('bourse')
    .description('Runs and manages an exchange.')
    .version(version)
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false });

  /** Runs a program of `tools/` with the arguments that were given to the command, checked by commander before. */
  const tool = (file, given) => async () => {
    await prepare();
    process.argv = [process.execPath, join(root, 'tools', file), ...given()];
    await import(`../${file}`);
  };
  const rawArgs = (depth) => () => bourse.rawArgs.slice(depth);

  bourse
    .command('start')
    .description('the exchange in one process; what it needs: .env.example')
    .action(async () => {
      if (isDevelopmentClone) return become([join(root, 'tools', 'start.mjs')]);
      return become([...nodeFlags, programFile('exchange')]);
    });

  const operator = bourse.command('operator').description('people who run the exchange, from the console');
  operator
    .command('add <name>')
    .description('someone new; password and authenticator are shown once')
    .option('--roles <roles>', 'support, finance, admin, with commas', 'admin')
    .option(...DATA_DIR)
    .option(...JSON_OUT)
    .addHelpText('after', EXIT_CODES)
    .action(tool('operator.mjs', rawArgs(1)));
  operator
    .command('reset <name>')
    .description('a new password and authenticator for an operator')
    .option(...DATA_DIR)
    .option(...JSON_OUT)
    .addHelpText('after', EXIT_CODES)
    .action(tool('operator.mjs', rawArgs(1)));

  bourse
    .command('migrate')
    .description('roles, logins and tables, with the login that owns the database (DATABASE_OWNER_URL)')
    .option('--plan', 'show what waits, and write nothing')
    .option('--apply', 'apply it; so it is without either')
    .option(...JSON_OUT)
    .addHelpText(
      'after',
      '\nDATABASE_LOGINS is JSON of service name to password: the roles that may log in.\n' +
        'DATABASE_ROLE_PREFIX before the name of a schema is its role; default bourse_.\n' +
        '\nExit codes: 0 done, or nothing waits; 1 refused or failed; 3 with --plan, where migrations wait.',
    )
    .action(tool('migrate.mjs', rawArgs(1)));

  bourse
    .command('reconcile')
    .description('after a restore: what is lost, and whether all streams can continue; stop the exchange first')
    .option('--accept', 'let the exchange start on what there is: frozen, with payments back in review')
    .option(...DATA_DIR)
    .option(...JSON_OUT)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing is lost, or the loss was accepted; 1 something is lost and waits for --accept;\n' +
        '2 it cannot be repaired here, or not now.',
    )
    .action(tool('reconcile.mjs', rawArgs(1)));

  bourse
    .command('export')
    .description('the whole ledger of an install as a book of plain-text accounting, from its journals')
    .requiredOption('--format <format>', 'beancount (checked by bean-check) or hledger (by hledger check)')
    .option('--out <file>', 'write it there; without: on standard output')
    .option(...DATA_DIR)
    .addHelpText('after', EXIT_CODES)
    .action(tool('export.mjs', rawArgs(1)));

  bourse
    .command('secrets')
    .description('whether the secrets of this shell are those that the install was made with')
    .option('--accept <names>', 'take new ones of these at the next start, with commas (docs/data-keys.md)')
    .option(...DATA_DIR)
    .option(...JSON_OUT)
    .addHelpText('after', '\nExit codes: 0 all fit; 1 one does not, or no check was possible.')
    .action(tool('secrets.mjs', rawArgs(1)));

  bourse
    .command('keys')
    .description('a key for each service of the distributed run; nothing is stored')
    .option(...JSON_OUT)
    .addHelpText('after', EXIT_CODES)
    .action(tool('keys.mjs', rawArgs(1)));

  bourse
    .command('tick-key')
    .description('the keys that sign the recorded prices, with their periods')
    .option('--rotate', 'ask for another one, from the next recorded second on')
    .option(...DATA_DIR)
    .option(...JSON_OUT)
    .addHelpText('after', EXIT_CODES)
    .action(tool('tick-key.mjs', rawArgs(1)));

  bourse
    .command('login')
    .description('a session of an operator for the commands that follow: audit, breaker, pairs')
    .option(...ADDRESS)
    .option('--print', 'print its token for OPERATOR_TOKEN instead of keeping it')
    .addHelpText(
      'after',
      '\nIt asks for name, password and the code of the authenticator, or takes OPERATOR_NAME,\n' +
        'OPERATOR_PASSWORD and OPERATOR_TOTP. In place of a password that somebody else has chosen it\n' +
        'asks for your own, or takes OPERATOR_NEW_PASSWORD. The session is kept in a file that only you\n' +
        'may read (BOURSE_SESSIONS says where).\n' +
        '\nExit codes: 0 done; 1 refused; 2 no exchange answered.',
    )
    .action(tool('login.mjs', rawArgs(1)));
  bourse
    .command('logout')
    .description('ends that session')
    .option(...ADDRESS)
    .addHelpText('after', '\nExit codes: 0 done; 1 refused; 2 no exchange answered.')
    .action(tool('login.mjs', () => ['--end', ...rawArgs(1)()]));

  bourse
    .command('breaker [scope] [mode]')
    .description('stops or opens a part of a running exchange, by its operators’ calls; without a mode: their states')
    .option('--reason <text>', 'why, for the audit trail; with a mode it is needed')
    .option(...ADDRESS)
    .option(...JSON_OUT)
    .addHelpText(
      'after',
      '\nScopes: all, withdraw, c2c, lever, micro, savings, points, or a pair such as BTC/USDT.\n' +
        'Modes: normal, cancel_only, halted.\n' +
        SIGN_IN +
        '\nExit codes: 0 done; 1 refused; 2 no exchange answered.',
    )
    .action(tool('breaker.mjs', rawArgs(1)));

  bourse
    .command('pairs [action] [pair]')
    .description('which partition of the books runs each pair of a running exchange; `move` takes one to another')
    .option('--to <partition>', 'with `move`: the partition, from 0 on')
    .option('--reason <text>', 'with `move`: why, for the audit trail')
    .option(...ADDRESS)
    .option(...JSON_OUT)
    .addHelpText(
      'after',
      '\nbourse pairs                       where the pairs are\n' +
        'bourse pairs move BTC_USDT --to 2  moves one; trading continues meanwhile\n' +
        SIGN_IN +
        '\nExit codes: 0 done; 1 refused, or the pair is not there after 30 s; 2 no exchange answered.',
    )
    .action(tool('pairs.mjs', rawArgs(1)));

  bourse
    .command('audit')
    .description('what the auditors of a running exchange find, and what is stopped')
    .option(...ADDRESS)
    .option(...JSON_OUT)
    .addHelpText(
      'after',
      `\n${SIGN_IN}\nExit codes: 0 every invariant holds; 1 a check fails; 2 no exchange answered, or it refused.`,
    )
    .action(tool('audit.mjs', rawArgs(1)));

  bourse
    .command('seed')
    .description('people for load tests, on a running demo install')
    .requiredOption('--users <count>', 'how many', count)
    .option('--tokens <file>', 'open a session for each, and write [{ id, account, token }]')
    .option(...DATA_DIR)
    .option(...JSON_OUT)
    .addHelpText('after', EXIT_CODES)
    .action(tool('seed.mjs', rawArgs(1)));

  bourse
    .command('replay')
    .description('books rebuilt from their command log, and compared with the stored hashes')
    .option('--market <pair...>', 'of these pairs')
    .option('--all', 'of all pairs')
    .option(...JSON_OUT)
    .addHelpText('after', '\nExit codes: 0 all are equal; 1 a book differs; 2 no result was possible.')
    .action(tool('replay.mjs', rawArgs(1)));

  bourse
    .command('simulate')
    .description('the money core in a simulated world (docs/proofs/simulation.md)')
    .option('--seed <seed>', 'one seed')
    .option('--seeds <range>', 'seeds A..B')
    .option('--hours <count>', 'for so many hours')
    .option('--trace', 'print every event')
    .option('--crowd <service>', 'people use that service ten times as much')
    .option('--dry <service>', 'the house cannot pay that service while people make calls')
    .option('--keep-going', 'after a seed that fails')
    .option('--files <folder>', 'write there what other programs can check, such as the ledger as books')
    .option(...JSON_OUT)
    .addHelpText('after', '\nExit codes: 0 every seed holds; 1 one fails, with the reason.')
    .action(tool('simulate.mjs', rawArgs(1)));

  for (const [name, what, file] of CLONE_ONLY)
    bourse
      .command(name)
      .description(`${what}; in a clone alone`)
      .helpOption(isDevelopmentClone ? false : '-h, --help')
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        if (!existsSync(join(root, file)))
          fail(`bourse ${name} needs a clone of the repository: the image holds no ${file}.`);
        // Their own help is at their heads.
        if (['--help', '-h'].some((one) => bourse.rawArgs.includes(one))) return console.log(about(join(root, file)));
        return become([join(root, file), ...bourse.rawArgs.slice(1)]);
      });
  return bourse;
}

/** Programs with tools that a server does not have: a load generator, brokers, proxies. */
const CLONE_ONLY = [
  ['start:distributed', 'one process per service', 'tools/start-distributed.mjs'],
  ['faults', 'the fault suite', 'tools/faults.mjs'],
  ['loadtest', 'a load scenario', 'loadtest/run.mjs'],
];

/** Returns the comment at the head of a program. */
function about(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//') && !line.startsWith('#!'));
  return lines
    .slice(0, end)
    .filter((line) => line.startsWith('//'))
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}

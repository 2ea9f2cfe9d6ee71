// Compares the answers of leverage calls with the final positions (I6).
import type { SimulatedAnswers } from '@bourse/ledger-client';
import { parseAmount } from '@bourse/money';
import { groupBy } from '../application/groups.js';
import { STATUS, wholeOf, type Position } from '../domain/position.js';

const hasAnswer = ({ told }: SimulatedAnswers, kind: string): boolean => told.some((one) => one.kind === kind);
/** Whether a call may have had its effect: not after `nothing` or a refusal. */
const mayHaveDone = (call: SimulatedAnswers): boolean =>
  hasAnswer(call, 'ok') || (hasAnswer(call, 'unknown') && !hasAnswer(call, 'refused'));

/** Answers without their effect, and effects without an answer. */
export function answerProblems(positions: readonly Position[], calls: readonly SimulatedAnswers[]): string[] {
  const byId = new Map(positions.map((position) => [position.id, position]));
  return [
    ...calls.flatMap((call) => effectProblems(call, byId)),
    ...countProblems(
      positions.filter(({ partOf }) => partOf === null),
      calls,
    ),
    ...contractProblems(positions, calls),
    ...stopProblems(byId, calls),
  ];
}

function effectProblems(call: SimulatedAnswers, positions: ReadonlyMap<string, Position>): string[] {
  const { fields, told } = call;
  const accepted = told.find(({ kind }) => kind === 'ok');
  if (accepted?.kind !== 'ok') return [];
  const problems: string[] = [];
  if (hasAnswer(call, 'refused'))
    problems.push(`I6 ${fields['call']} was answered ok and refused under one command id`);
  if (fields['call'] === 'open' && !positions.has(accepted.id))
    problems.push(`I6 position ${accepted.id} was answered ok and does not exist`);
  const status = positions.get(String(fields['id']))?.status;
  const hasPart = [...positions.values()].some(({ partOf }) => partOf === String(fields['id']));
  if (fields['call'] === 'close' && status !== STATUS.closed && !(hasPart && fields['share'] !== undefined))
    problems.push(`I6 position ${fields['id']} was answered closed and is ${status}`);
  if (fields['call'] === 'cancel' && status !== STATUS.revoked)
    problems.push(`I6 position ${fields['id']} was answered cancelled and is ${status}`);
  if (fields['call'] === 'batch') problems.push(...batchProblems(told, positions));
  return problems;
}

/** Each answer to a batch names the same positions, and all of them have closed. */
function batchProblems(told: SimulatedAnswers['told'], positions: ReadonlyMap<string, Position>): string[] {
  const answers = told.flatMap((one) => (one.kind === 'ok' ? [one.extra['ids'] as readonly string[]] : []));
  const texts = new Set(answers.map((ids) => ids.join()));
  const left = new Set(answers.flat().filter((id) => positions.get(id)?.status !== STATUS.closed));
  return [
    ...(texts.size > 1 ? [`I6 a batch was answered with different positions: ${[...texts].join(' | ')}`] : []),
    ...[...left].map((id) => `I6 position ${id} was answered closed by a batch and is ${positions.get(id)?.status}`),
  ];
}

/** All contracts that a call has opened are in the position and in the parts that have closed of it. */
function contractProblems(positions: readonly Position[], calls: readonly SimulatedAnswers[]): string[] {
  const opened = new Map(
    calls.flatMap(({ fields, told }) => {
      const accepted = fields['call'] === 'open' ? told.find(({ kind }) => kind === 'ok') : undefined;
      return accepted?.kind === 'ok' ? [[accepted.id, Number(fields['share'])] as const] : [];
    }),
  );
  return [...groupBy(positions, wholeOf)].flatMap(([id, parts]) => {
    const contracts = parts.reduce((sum, one) => sum + one.contracts, 0);
    const wanted = opened.get(id) ?? contracts;
    return contracts === wanted ? [] : [`I3 position ${id} of ${wanted} contracts and its parts have ${contracts}`];
  });
}

/** A user has a position for each call answered ok, and none for a call answered without effect. */
function countProblems(positions: readonly Position[], calls: readonly SimulatedAnswers[]): string[] {
  const opens = calls.filter(({ fields }) => fields['call'] === 'open');
  return [
    ...new Set([...positions, ...opens.map(({ user }) => ({ userId: user }))].map(({ userId }) => userId)),
  ].flatMap((user) => {
    const own = opens.filter((call) => call.user === user);
    const count = positions.filter(({ userId }) => userId === user).length;
    const [least, most] = [own.filter((call) => hasAnswer(call, 'ok')).length, own.filter(mayHaveDone).length];
    return count < least || count > most
      ? [`I6 ${user} has ${count} positions, ${least} opens were answered ok and ${most} may have taken effect`]
      : [];
  });
}

/** A position whose stops were answered ok has the stops of one of the calls that may have set them. */
function stopProblems(positions: ReadonlyMap<string, Position>, calls: readonly SimulatedAnswers[]): string[] {
  const setting = calls.filter((call) => call.fields['call'] === 'stops' && mayHaveDone(call));
  const ids = new Set(setting.filter((call) => hasAnswer(call, 'ok')).map(({ fields }) => String(fields['id'])));
  return [...ids].flatMap((id) => {
    const position = positions.get(id);
    const isOneOf = setting.some(
      ({ fields }) =>
        position !== undefined &&
        String(fields['id']) === id &&
        position.target === unitsOf(fields['target'], position) &&
        position.stop === unitsOf(fields['stop'], position),
    );
    return isOneOf
      ? []
      : [`I6 position ${id} has stops ${position?.target} and ${position?.stop} that no call has set`];
  });
}
function unitsOf(text: string | number | undefined, { scales }: Position): bigint | null {
  const parsed = parseAmount(String(text), scales.priceScale);
  return parsed.ok ? parsed.units : null;
}

// What people were told of leverage, against what there is when all is over (I6).
import type { SimulatedAnswers } from '@bourse/ledger-client';
import { parseAmount } from '@bourse/money';
import { STATUS, type Position } from '../domain/position.js';

const isTold = ({ told }: SimulatedAnswers, kind: string): boolean => told.some((one) => one.kind === kind);
/** Whether a call may have had its effect: `nothing` and a refusal say that it has not. */
const mayHaveDone = (call: SimulatedAnswers): boolean =>
  isTold(call, 'ok') || (isTold(call, 'unknown') && !isTold(call, 'refused'));

/** Answers that their objects do not show, and objects that no answer speaks of. */
export function toldWrongs(positions: readonly Position[], calls: readonly SimulatedAnswers[]): string[] {
  const byId = new Map(positions.map((position) => [position.id, position]));
  return [
    ...calls.flatMap((call) => answerWrongs(call, byId)),
    ...countWrongs(positions, calls),
    ...stopWrongs(byId, calls),
  ];
}

function answerWrongs(call: SimulatedAnswers, positions: ReadonlyMap<string, Position>): string[] {
  const { fields, told } = call;
  const accepted = told.find(({ kind }) => kind === 'ok');
  if (accepted?.kind !== 'ok') return [];
  const problems: string[] = [];
  if (isTold(call, 'refused')) problems.push(`I6 ${fields['call']} was told ok and refused under one command id`);
  if (fields['call'] === 'open' && !positions.has(accepted.id))
    problems.push(`I6 position ${accepted.id} was told ok and is not there`);
  const status = positions.get(String(fields['id']))?.status;
  if (fields['call'] === 'close' && status !== STATUS.closed)
    problems.push(`I6 position ${fields['id']} was told closed and is ${status}`);
  if (fields['call'] === 'cancel' && status !== STATUS.revoked)
    problems.push(`I6 position ${fields['id']} was told revoked and is ${status}`);
  return problems;
}

/** A person has a position for each call that was told ok, and none for one that was told it has done nothing. */
function countWrongs(positions: readonly Position[], calls: readonly SimulatedAnswers[]): string[] {
  const opens = calls.filter(({ fields }) => fields['call'] === 'open');
  return [
    ...new Set([...positions, ...opens.map(({ user }) => ({ userId: user }))].map(({ userId }) => userId)),
  ].flatMap((user) => {
    const own = opens.filter((call) => call.user === user);
    const count = positions.filter(({ userId }) => userId === user).length;
    const [least, most] = [own.filter((call) => isTold(call, 'ok')).length, own.filter(mayHaveDone).length];
    return count < least || count > most
      ? [`I6 ${user} has ${count} positions, of calls to open ${least} were told ok and ${most} may have been done`]
      : [];
  });
}

/** Where stops were told ok, those of one of the calls that may have set them stand there. */
function stopWrongs(positions: ReadonlyMap<string, Position>, calls: readonly SimulatedAnswers[]): string[] {
  const setting = calls.filter((call) => call.fields['call'] === 'stops' && mayHaveDone(call));
  const ids = new Set(setting.filter((call) => isTold(call, 'ok')).map(({ fields }) => String(fields['id'])));
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
      : [`I6 position ${id} has stops ${position?.target} and ${position?.stop} that nobody was told`];
  });
}
function unitsOf(text: string | number | undefined, { scales }: Position): bigint | null {
  const parsed = parseAmount(String(text), scales.priceScale);
  return parsed.ok ? parsed.units : null;
}

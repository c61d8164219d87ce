import type { Call } from '../../contract/call.ts';
import { offersIn, type Offered } from '../../contract/offeredActions.ts';
import type { Db, Staff } from '../context.ts';
import { ownAmong } from './fourEyes.ts';

const known = new WeakMap<Call, readonly Offered[]>();
function offersOf(call: Call): readonly Offered[] {
  const before = known.get(call);
  if (before) return before;
  const found = offersIn(call.output);
  known.set(call, found);
  return found;
}

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rows that offer one of these decisions, however deep they stand. */
function rowsOffering(value: unknown, decisions: ReadonlySet<string>): Row[] {
  if (Array.isArray(value)) return value.flatMap((one) => rowsOffering(one, decisions));
  if (!isRow(value)) return [];
  const { allowedActions } = value;
  const own = Array.isArray(allowedActions) && allowedActions.some((action: string) => decisions.has(action)) ? [value] : [];
  return [...own, ...Object.values(value).flatMap((one) => rowsOffering(one, decisions))];
}

/** Takes the decisions about what somebody wrote himself out of the actions that an answer offers him. */
export async function withoutOwnDecisions(db: Db, staff: Pick<Staff, 'userId'> | null, call: Call, answer: unknown): Promise<void> {
  if (!staff) return;
  for (const { decisions, document, id } of offersOf(call)) {
    const rows = rowsOffering(answer, decisions);
    const own = await ownAmong(
      db,
      staff,
      document,
      rows.map((row) => String(row[id])),
    );
    for (const row of rows) {
      const { allowedActions } = row;
      if (own.has(String(row[id])) && Array.isArray(allowedActions))
        row['allowedActions'] = allowedActions.filter((action: string) => !decisions.has(action));
    }
  }
}

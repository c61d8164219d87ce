import type { Updateable } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Difference } from '#kernel/server/context.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { visitRecordMachine } from '../../contract/states.ts';
import { ownTx, type ConsultationTables } from '../database.ts';
import type { Deed } from '../deed.ts';
import { RECORD_TARGET, recordOf, type RecordRow } from './records.ts';

export type RecordAction = keyof typeof visitRecordMachine.transitions;
type Changes = Omit<Updateable<ConsultationTables['consultationVisitRecord']>, 'state' | 'version' | 'id'>;

/** Takes one transition of a locked record: state, trail, version. @throws Refusal SCM90031 where it may not start. */
export async function moveRecord(
  ctx: Deed,
  record: RecordRow,
  action: RecordAction,
  changes: Changes = {},
  words: { opinion?: string | undefined; differences?: readonly Difference[] } = {},
): Promise<RecordRow> {
  const to = await moveState(ctx, visitRecordMachine, {
    targetType: RECORD_TARGET,
    targetId: record.id,
    targetNo: record.visitNo,
    action,
    from: record.state,
    opinion: words.opinion,
    ...(words.differences && { differences: words.differences }),
  });
  const updated = await ownTx(ctx.tx)
    .updateTable('consultationVisitRecord')
    .set({ ...changes, state: to, ...updatedColumns(ctx), version: record.version + 1 })
    .where('id', '=', record.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return recordOf(updated);
}

import type { Selectable } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { seesPersonOf, type Seer } from '#domains/patient/server/index.ts';
import type { Attempt, TaskRow } from '../../contract/tasks/calls.ts';
import { TASK_TARGET } from '../../contract/tasks/states.ts';
import { own, ownTx } from '../database.ts';
import { doctorNames, patientNames } from '../runs/people.ts';
import type { CorpusFollowTask } from '../tables.ts';

export type Task = Selectable<CorpusFollowTask>;

/** Written by this folder's own commands. */
export const attemptsOf = ({ attempts }: Pick<Task, 'attempts'>): Attempt[] => attempts as Attempt[];

const missing = () => refuse(platformErrors.NOT_FOUND, { message: '随访任务不存在或已删除' });

/**
 * Tasks about patients whom somebody sees: an assistant those whom he serves, whatever conversation they came from. Unlike runs and touches
 * they go by person: whoever is free calls the patient, and many belong to no conversation at all.
 */
export const tasksSeen = (db: Db, seer: Seer, now: Instant) =>
  own(db)
    .selectFrom('corpusFollowTask as t')
    .leftJoin('corpusScene as s', 's.id', 't.sceneId')
    .where(seesPersonOf('t.patientId', seer, now));

export const selectTasks = (query: ReturnType<typeof tasksSeen>) => query.selectAll('t').select('s.name as sceneName');

export async function presentTasks(db: Db, rows: readonly (Task & { sceneName: string | null })[]): Promise<TaskRow[]> {
  const patients = await patientNames(
    db,
    rows.map(({ patientId }) => patientId),
  );
  const doctors = await doctorNames(
    db,
    rows.map(({ doctorId }) => doctorId),
  );
  const users = await userBrief(
    db,
    rows.flatMap(({ assigneeId }) => (assigneeId === null ? [] : [assigneeId])),
  );
  const names = new Map(users.map(({ userId, displayName }) => [userId, displayName]));
  return rows.map((row) => ({
    id: row.id,
    taskNo: row.taskNo,
    taskType: row.taskType,
    level: row.level,
    patientId: row.patientId,
    patientName: mask('name', patients(row.patientId)),
    doctorName: doctors(row.doctorId),
    isGroup: row.groupId !== null,
    sourceType: row.sourceType,
    sceneName: row.sceneName,
    dueAt: row.dueAt,
    nextFollowAt: row.nextFollowAt,
    attemptCount: attemptsOf(row).length,
    assigneeId: row.assigneeId,
    assigneeName: row.assigneeId === null ? null : (names.get(row.assigneeId) ?? ''),
    result: row.result,
    state: row.state,
    createdAt: row.createdAt,
    version: row.version,
  }));
}

/** One task with what lists show of it. @throws Refusal SCM90040 */
export async function seenTask(db: Db, seer: Seer, id: string, now: Instant) {
  const row = await selectTasks(tasksSeen(db, seer, now).where('t.id', '=', id)).executeTakeFirst();
  if (!row) throw missing();
  return row;
}

/**
 * A task that the caller sees (no `recordOf`: whom he sees changes with the time), locked until the transaction ends.
 * @param seen its version as the caller saw it; null where the first one wins whatever stood there before
 * @throws Refusal SCM90040, SCM90030
 */
export async function lockTask(ctx: CommandContext, id: string, seen: number | null): Promise<Task> {
  const row = await ownTx(ctx.tx)
    .selectFrom('corpusFollowTask as t')
    .selectAll('t')
    .where('t.id', '=', id)
    .where(seesPersonOf('t.patientId', ctx.staff, ctx.now))
    .forUpdate('t')
    .executeTakeFirst();
  if (!row) throw missing();
  await requireVersion(ctx, TASK_TARGET, row, seen);
  return row;
}

type Change = Partial<Pick<Task, 'state' | 'assigneeId' | 'result' | 'note' | 'nextFollowAt' | 'dueAt' | 'endedAt'>> & {
  attempts?: string;
  aeReport?: string;
};

/** Writes a locked task. */
export const changeTask = (ctx: { tx: Tx; now: Instant; staffOrNull: { userId: string } | null }, task: Task, set: Change) =>
  ownTx(ctx.tx)
    .updateTable('corpusFollowTask')
    .set((eb) => ({ ...set, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', task.id)
    .returning(['id', 'state', 'version'])
    .executeTakeFirstOrThrow();

import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { daysBetween, plusDays, startOfDay } from '../../../../kernel/contract/time.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import type { CommandContext, Db } from '../../../../kernel/server/context.ts';
import { ZipStream } from '../../../../kernel/server/documents/zipStream.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { assertOtherPerson, demandFresh, userBrief } from '../../../identity/server/index.ts';
import { addPrivacyRequest, handlePrivacyRequest, queryPrivacyRequestList, type PrivacyRequestRow } from '../../contract/calls/privacy.ts';
import { privacyKinds } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { privacyMachine, type PrivacyState } from '../../contract/states.ts';
import { lockPatient, noteAccess, type Seen } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { attachProduced } from '../files.ts';
import { briefJson, briefOf } from '../persons/brief.ts';
import { cancelPatient } from '../persons/operate.ts';
import type { QueueReader, Slice } from '../queues.ts';
import { allParts, recordOf, recordPdf } from '../records/recordPdf.ts';

const TARGET = 'patient.privacyRequest';
/** Days that the law leaves for an answer. */
const DAYS = 15;
const todoKey = (id: string) => `patient.privacy:${id}`;

const requests = (db: Db) =>
  own(db)
    .selectFrom('patientPrivacyRequest as r')
    .innerJoin('patientPatient as a', 'a.id', 'r.patientId')
    .innerJoin('patientPatient as p', (join) => join.on(sql<boolean>`p.id = coalesce(a.merged_into_id, a.id)`));
const filled = (rows: ReturnType<typeof requests>) => rows.selectAll('r').select(briefJson('p').as('person'));

async function present(
  db: Db,
  rows: Awaited<ReturnType<ReturnType<typeof filled>['execute']>>,
  ctx: Pick<QueueReader, 'today' | 'has'>,
): Promise<PrivacyRequestRow[]> {
  const users = new Map(
    (
      await userBrief(
        db,
        rows.flatMap(({ handlerId, createdBy }) => [handlerId ?? [], createdBy ?? []].flat()),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  return rows.map((row) => ({
    id: row.id,
    requestNo: row.requestNo,
    kind: row.kind,
    patient: briefOf(row.person, ctx.today),
    detail: row.detail,
    state: row.state,
    dueAt: row.dueAt,
    daysLeft: daysBetween(ctx.today, row.dueAt),
    resultFileId: row.resultFileId,
    handler: row.handlerId === null ? null : (users.get(row.handlerId) ?? null),
    createdBy: row.createdBy === null ? null : (users.get(row.createdBy) ?? null),
    opinion: row.opinion,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    version: row.version,
    allowedActions: privacyMachine.allowed(row.state, ctx.has),
  }));
}
type Filter = Omit<CheckedInputOf<typeof queryPrivacyRequestList>, 'pageNo' | 'pageSize'>;

/** Requests by due day, finished ones last. */
export function privacyQueue(db: Db, { kind, state, keyword, patientId, from, to }: Filter) {
  let rows = requests(db);
  if (kind?.length) rows = rows.where('r.kind', 'in', kind);
  if (state?.length) rows = rows.where('r.state', 'in', state);
  if (patientId) rows = rows.where((eb) => eb.or([eb('p.id', '=', patientId), eb('a.id', '=', patientId)]));
  if (keyword)
    rows = rows.where((eb) =>
      eb.or([eb('r.requestNo', '=', keyword.toUpperCase()), eb('p.patientNo', '=', keyword.toUpperCase()), eb('p.name', '=', keyword)]),
    );
  if (from) rows = rows.where('r.createdAt', '>=', startOfDay(from));
  if (to) rows = rows.where('r.createdAt', '<', startOfDay(plusDays(to, 1)));
  return rows;
}
export const readPrivacyQueue = async (
  db: Db,
  rows: ReturnType<typeof privacyQueue>,
  { limit, offset }: Slice,
  reader: Pick<QueueReader, 'today' | 'has'>,
) =>
  present(
    db,
    await filled(rows)
      .orderBy(sql`r.state in ('DONE', 'REFUSED')`)
      .orderBy('r.dueAt')
      .orderBy('r.id')
      .limit(limit)
      .offset(offset)
      .execute(),
    reader,
  );

const answer = async (ctx: CommandContext, id: string) =>
  (await present(ctx.tx, await filled(requests(ctx.tx)).where('r.id', '=', id).execute(), ctx))[0]!;

async function* zipOf(files: readonly { name: string; body: Buffer }[]): AsyncGenerator<Buffer> {
  const zip = new ZipStream();
  for (const { name, body } of files) yield* zip.entry(name, [body]);
  yield zip.end();
}

/** The patient's own copy: the record to read and the same as data. */
async function makeCopy(kernel: Kernel, ctx: CommandContext, seen: Seen, requestNo: string): Promise<string> {
  const data = await recordOf(ctx.tx, seen, allParts, ctx.today);
  const pdf = recordPdf(seen, data, allParts, { name: ctx.staff.displayName, at: ctx.now, purpose: `查阅复制${requestNo}` });
  const chunks: Buffer[] = [];
  for await (const chunk of zipOf([
    { name: `患者档案${seen.patientNo}.pdf`, body: pdf },
    { name: `患者档案${seen.patientNo}.json`, body: Buffer.from(JSON.stringify(data, null, 2)) },
  ]))
    chunks.push(chunk);
  const file = await kernel.ports.files.store(
    ctx.tx,
    {
      purpose: 'EXPORT',
      name: `${requestNo}.zip`,
      body: Buffer.concat(chunks),
      contentType: 'application/zip',
      createdBy: ctx.staff.userId,
      sensitive: true,
    },
    ctx.now,
  );
  await attachProduced(ctx, ctx.staff.userId, seen.id, 'privacy', file.fileId);
  await noteAccess(ctx.tx, ctx, { patientId: seen.id, kind: 'EXPORT', fields: allParts, reason: `隐私请求${requestNo}` });
  return file.fileId;
}

export const privacyHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryPrivacyRequestList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const rows = privacyQueue(ctx.db, filter);
    return {
      rows: await readPrivacyQueue(ctx.db, rows, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }, ctx),
      total: await totalUpTo(own(ctx.db), rows),
    };
  }),
  command(addPrivacyRequest, async ({ patientId, kind, detail }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    const requestNo = await nextNumber(ctx.tx, 'GX', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('patientPrivacyRequest')
      .values({
        requestNo,
        kind,
        patientId: seen.id,
        detail,
        dueAt: plusDays(ctx.today, DAYS),
        createdAt: ctx.now,
        createdBy: ctx.staff.userId,
        updatedAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id, no: requestNo });
    ctx.changed([{ path: 'kind', label: '隐私请求', before: null, after: privacyKinds.label(kind) }]);
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: todoKey(id),
        title: `隐私请求待办理：${requestNo}（${privacyKinds.label(kind)}）`,
        permission: patientPermissions['privacy.handle'].code,
      },
      ctx.now,
    );
    return answer(ctx, id);
  }),
  command(handlePrivacyRequest, async ({ id, version, action, opinion }, ctx) => {
    const row = await ownTx(ctx.tx).selectFrom('patientPrivacyRequest').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    await demandFresh(ctx.tx, version, { version: row.version, updatedBy: row.handlerId }, { state: row.state });
    const state = await moveState(ctx, privacyMachine, {
      targetType: TARGET,
      targetId: id,
      targetNo: row.requestNo,
      action,
      from: row.state,
      opinion,
    });
    let resultFileId = row.resultFileId;
    if (action === 'finish' && row.kind !== 'CORRECT') {
      const seen = await lockPatient(ctx.tx, ctx.staff, row.patientId, ctx.now);
      if (row.kind === 'COPY') resultFileId = await makeCopy(kernel, ctx, seen, row.requestNo);
      else {
        assertOtherPerson(row.createdBy, ctx.staff.userId, patientErrors.MERGE_SAME_PERSON);
        await cancelPatient(ctx, seen, opinion || row.detail);
      }
    }
    const finished = state === 'DONE' || state === 'REFUSED';
    await ownTx(ctx.tx)
      .updateTable('patientPrivacyRequest')
      .set((eb) => ({
        state,
        resultFileId,
        handlerId: ctx.staff.userId,
        opinion: opinion || null,
        finishedAt: finished ? ctx.now : null,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', id)
      .execute();
    if (finished) await kernel.ports.notices.closeTodo(ctx.tx, todoKey(id), ctx.now);
    return answer(ctx, id);
  }),
];

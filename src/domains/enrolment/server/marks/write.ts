import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { attachAll, detach, usesOf } from '#domains/files/server/index.ts';
import { addSpecialUser, delSpecialUser, modifySpecialUser, revealSpecialUser } from '../../contract/calls/marks.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { markMachine } from '../../contract/markStates.ts';
import { MARK_EVIDENCE } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { markRecords, type MarkRecord } from './access.ts';
import { lockPersons, requireFreeDays } from './overlap.ts';
import { numberColumns, personKeyOf } from './person.ts';
import { requireHmoProducts } from './products.ts';

type Facts = Omit<CheckedInputOf<typeof modifySpecialUser>, 'id' | 'version' | 'mobile' | 'idNo'>;
const EVIDENCE = 'evidence';

/** What the operation log calls a mark. */
export const nameOf = ({ name, markType }: Pick<MarkRecord, 'name' | 'markType'>): string => `${name}/${markType}`;

const answer = (ctx: CommandContext, row: Pick<MarkRecord, 'id' | 'state' | 'version'>) => actionAnswer(ctx, markMachine, row);

/** Papers of a mark: one's own uploads, and those of the mark that it follows or was. */
async function attachEvidence(ctx: CommandContext, markId: string, fileIds: readonly string[], known: readonly string[]): Promise<void> {
  const kept = await usesOf(
    ctx.tx,
    fileIds.filter((fileId) => known.includes(fileId)),
  );
  const of = { purpose: MARK_EVIDENCE, ownerType: markRecords.type, ownerId: markId, field: EVIDENCE };
  const fresh = fileIds.filter((fileId) => !known.includes(fileId));
  await attachAll(
    ctx.tx,
    [
      { ...of, fileIds: fresh, userId: ctx.staff.userId },
      ...kept.map(({ fileId, createdBy }) => ({ ...of, fileIds: [fileId], userId: createdBy ?? ctx.staff.userId })),
    ],
    ctx.now,
  );
}

const factColumns = async (ctx: CommandContext, facts: Facts) => ({
  name: facts.name,
  markType: facts.markType,
  productIds: await requireHmoProducts(ctx.tx, facts.productIds),
  startDate: facts.startDate,
  endDate: facts.endDate,
  reason: facts.reason,
  evidenceFileIds: [...new Set(facts.evidenceFileIds)],
});

/** A mark that waits for another person. */
export async function openMark(
  ctx: Acting,
  columns: Awaited<ReturnType<typeof factColumns>> & ReturnType<typeof numberColumns>,
  replacesId: string | null,
  maker: { userId: string; displayName: string },
) {
  const personKey = personKeyOf(columns);
  if (personKey === null) throw refuse(enrolmentErrors.NO_IDENTITY);
  return own(ctx.tx)
    .insertInto('enrolmentSpecialUser')
    .values({
      ...columns,
      personKey,
      replacesId,
      makerId: maker.userId,
      makerName: maker.displayName,
      ...createdColumns(ctx),
    })
    .returning(['id', 'name', 'markType', 'state', 'version'])
    .executeTakeFirstOrThrow();
}

/** @throws Refusal SCM14070 where the person has such a mark on some of the days */
export const add = ({ secrets }: Kernel) =>
  command(addSpecialUser, async ({ mobile, idNo, ...facts }, ctx) => {
    const numbers = numberColumns(secrets, { mobile, idNo });
    await lockPersons(ctx.tx, [numbers]);
    const columns = await factColumns(ctx, facts);
    await requireFreeDays(ctx.tx, numbers, columns, []);
    const row = await openMark(ctx, { ...columns, ...numbers }, null, ctx.staff);
    await attachEvidence(ctx, row.id, columns.evidenceFileIds, []);
    ctx.target({ type: markRecords.type, id: row.id, no: nameOf(row) });
    return answer(ctx, row);
  });

/** The numbers after an edit: what is left out stays. */
function numbersAfter(secrets: Kernel['secrets'], mark: MarkRecord, given: { mobile?: string | undefined; idNo?: string | undefined }) {
  const { mobileCipher, mobileHash, mobileMasked, idNoCipher, idNoHash, idNoMasked } = mark;
  const fresh = numberColumns(secrets, given);
  return {
    ...(given.mobile
      ? { mobileCipher: fresh.mobileCipher, mobileHash: fresh.mobileHash, mobileMasked: fresh.mobileMasked }
      : { mobileCipher, mobileHash, mobileMasked }),
    ...(given.idNo
      ? { idNoCipher: fresh.idNoCipher, idNoHash: fresh.idNoHash, idNoMasked: fresh.idNoMasked }
      : { idNoCipher, idNoHash, idNoMasked }),
  };
}

/** A mark in force stays as it is until another person passes the one that follows it. */
async function addSuccessor(
  ctx: CommandContext,
  mark: MarkRecord,
  columns: Awaited<ReturnType<typeof factColumns>> & ReturnType<typeof numbersAfter>,
) {
  if (personKeyOf(columns) !== mark.personKey) throw refuseField('idNo', '生效中的标记不能更换为另一个人，请撤销后新增');
  if (columns.startDate <= mark.startDate)
    throw refuseField('startDate', `修改后的标记从原标记开始日期（${mark.startDate}）之后的一天起生效，请重新选择开始日期`);
  const waiting = await own(ctx.tx)
    .selectFrom('enrolmentSpecialUser')
    .select('id')
    .where('replacesId', '=', mark.id)
    .where('state', '=', 'PENDING')
    .executeTakeFirst();
  if (waiting) throw refuse(enrolmentErrors.MARK_OVERLAPS, { message: '该标记的修改已在待审批，请编辑待审批的标记' });
  await requireFreeDays(ctx.tx, columns, columns, [mark.id]);
  const row = await openMark(ctx, columns, mark.id, ctx.staff);
  await attachEvidence(ctx, row.id, columns.evidenceFileIds, mark.evidenceFileIds);
  ctx.target({ type: markRecords.type, id: row.id, no: nameOf(row) });
  return row;
}

/** @throws Refusal SCM14073 for a mark that is over, SCM14070 for days that are taken */
export const modify = ({ secrets }: Kernel) =>
  command(modifySpecialUser, async ({ id, version, mobile, idNo, ...facts }, ctx) => {
    const mark = await markRecords.lockVersion(ctx, id, version);
    if (mark.state === 'REVOKED' || mark.state === 'EXPIRED') throw refuse(enrolmentErrors.MARK_ENDED);
    const numbers = numbersAfter(secrets, mark, { mobile, idNo });
    await lockPersons(ctx.tx, [mark, numbers]);
    const columns = { ...(await factColumns(ctx, facts)), ...numbers };
    if (mark.state === 'EFFECTIVE') return answer(ctx, await addSuccessor(ctx, mark, columns));
    const personKey = personKeyOf(numbers);
    if (personKey === null) throw refuse(enrolmentErrors.NO_IDENTITY);
    const followed = mark.replacesId === null ? null : await markRecords.get(ctx.tx, markRecords.everyone, mark.replacesId);
    if (followed && followed.personKey !== personKey) throw refuseField('idNo', '修改生效中的标记时不能更换为另一个人');
    if (followed && columns.startDate <= followed.startDate)
      throw refuseField('startDate', `修改后的标记从原标记开始日期（${followed.startDate}）之后的一天起生效，请重新选择开始日期`);
    await requireFreeDays(ctx.tx, numbers, columns, [id, ...(followed ? [followed.id] : [])]);
    const state =
      mark.state === 'REJECTED'
        ? await moveState(ctx, markMachine, {
            targetType: markRecords.type,
            targetId: id,
            targetNo: nameOf(mark),
            action: 'resubmit',
            from: mark.state,
          })
        : mark.state;
    const gone = mark.evidenceFileIds.filter((fileId) => !columns.evidenceFileIds.includes(fileId));
    await detach(ctx.tx, { fileIds: gone, ownerType: markRecords.type, ownerId: id, field: EVIDENCE }, ctx.now);
    await attachEvidence(ctx, id, columns.evidenceFileIds, mark.evidenceFileIds);
    const row = await own(ctx.tx)
      .updateTable('enrolmentSpecialUser')
      .set((eb) => ({
        ...columns,
        personKey,
        state,
        ...(mark.state === 'REJECTED' && { checkerId: null, checkerName: null, opinion: null }),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: markRecords.type, id, no: nameOf(mark) });
    return answer(ctx, row);
  });

/** Only what nobody has decided about, and by whoever made it. */
export const remove = command(delSpecialUser, async ({ id, version }, ctx) => {
  const mark = await markRecords.lockVersion(ctx, id, version);
  ctx.target({ type: markRecords.type, id, no: nameOf(mark) });
  if (mark.state !== 'PENDING') throw refuse(platformErrors.WRONG_STATE, { state: markMachine.states[mark.state].label });
  if (mark.makerId !== ctx.staff.userId)
    throw refuse(platformErrors.NO_PERMISSION, { permission: '' }, { message: `该标记由${mark.makerName}创建，只能由本人删除` });
  await detach(ctx.tx, { fileIds: mark.evidenceFileIds, ownerType: markRecords.type, ownerId: id, field: EVIDENCE }, ctx.now);
  await own(ctx.tx).deleteFrom('enrolmentSpecialUser').where('id', '=', id).execute();
  return { id };
});

export const reveal = ({ secrets }: Kernel) =>
  command(revealSpecialUser, async ({ id, field }, ctx) => {
    const mark = await markRecords.lock(ctx.tx, ctx.staff, id);
    ctx.target({ type: markRecords.type, id, no: nameOf(mark), looked: true });
    const cipher = field === 'mobile' ? mark.mobileCipher : mark.idNoCipher;
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });

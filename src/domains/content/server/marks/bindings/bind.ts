import { sql } from 'kysely';
import { markBound } from '#events/content.ts';
import { fillText, refuse, refuseField } from '#kernel/contract/errors.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ObjectTypeCode } from '../../../contract/marks/dictionaries.ts';
import { bindMark, type BindOutcome, unbindMark } from '../../../contract/marks/calls/bindings.ts';
import { markErrors } from '../../../contract/marks/errors.ts';
import { ownTx } from '../../database.ts';
import { typeOf } from '../objects.ts';
import { lockGroup, MARK_TARGET, markMissing } from '../access.ts';
import { endBindings, type EndedBinding, publishUnbound } from './end.ts';

interface Wish {
  markIds: readonly string[];
  objectType: ObjectTypeCode;
  objectIds: readonly string[];
  objectNos: readonly string[];
}

/** The marks of a call with their groups, which are locked in one order, so that two calls never wait for each other. */
async function lockMarks(ctx: CommandContext, { markIds, objectType }: Wish) {
  const wanted = [...new Set(markIds)];
  const rows = await ownTx(ctx.tx).selectFrom('contentMark').select(['id', 'groupId']).where('id', 'in', wanted).execute();
  if (rows.length < wanted.length) throw markMissing();
  const groupIds = [...new Set(rows.map(({ groupId }) => groupId))].toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  const groups = new Map<string, Awaited<ReturnType<typeof lockGroup>>>();
  for (const id of groupIds) groups.set(id, await lockGroup(ctx, id, markMissing));
  const marks = await ownTx(ctx.tx).selectFrom('contentMark').selectAll().where('id', 'in', wanted).orderBy('id').execute();
  const found = marks.flatMap((mark) => {
    const group = groups.get(mark.groupId);
    return group ? [{ ...mark, group }] : [];
  });
  if (found.length < wanted.length) throw markMissing();
  if (found.some(({ group }) => group.objectType !== objectType)) throw refuseField('markIds', '标签不适用于该类对象');
  return found;
}
type LockedMark = Awaited<ReturnType<typeof lockMarks>>[number];

/** One object that a call names; without an id there is none that the caller sees. */
interface Asked {
  id: string | null;
  name: string;
}

/** The objects of a call, each once, by ids and by numbers. */
async function askedObjects(kernel: Pick<Kernel, 'registry'>, ctx: CommandContext, wish: Wish): Promise<Asked[]> {
  const type = typeOf(kernel, wish.objectType);
  const numbers = [...new Set(wish.objectNos.map((no) => no.toUpperCase()))];
  const byId = new Map((await type.labels(ctx.tx, ctx.staff, wish.objectIds, ctx.now)).map((label) => [label.id, label]));
  const byNo = new Map((await type.numbered(ctx.tx, ctx.staff, numbers, ctx.now)).map((label) => [label.no, label]));
  const asked = new Map<string, Asked>();
  for (const id of wish.objectIds) asked.set(id, { id: byId.has(id) ? id : null, name: byId.get(id)?.name ?? id });
  for (const no of numbers) {
    const label = byNo.get(no);
    if (!label || !asked.has(label.id)) asked.set(label?.id ?? no, { id: label?.id ?? null, name: label?.name ?? no });
  }
  return [...asked.values()];
}

interface Live {
  id: string;
  markId: string;
  groupId: string;
  objectId: string;
  source: EndedBinding['source'];
}

/** What the bindings of one object become. */
interface Plan {
  end: Live[];
  /** Bindings of rules that a person now confirms. */
  own: Live[];
  add: LockedMark[];
}

/** The plan of one object, or the limit that it would break. */
export function planOf(marks: readonly LockedMark[], live: readonly Live[]): Plan | { limit: number } {
  const add = marks.filter((mark) => !live.some(({ markId }) => markId === mark.id));
  const own = live.filter(({ markId, source }) => source !== 'MANUAL' && marks.some(({ id }) => id === markId));
  const singles = new Set(add.filter(({ group }) => group.selectMode === 'SINGLE').map(({ groupId }) => groupId));
  const end = live.filter(({ groupId }) => singles.has(groupId));
  for (const { group } of add) {
    if (group.selectMode === 'SINGLE' || group.maxPerObject === null) continue;
    const after = live.filter(({ groupId }) => groupId === group.id).length + add.filter(({ groupId }) => groupId === group.id).length;
    if (after > group.maxPerObject) return { limit: group.maxPerObject };
  }
  return { end, own, add };
}

function requireUsable(marks: readonly LockedMark[], expireAt: Instant | null, now: Instant): void {
  if (marks.some(({ group }) => !group.manualAllowed)) throw refuse(markErrors.MANUAL_FORBIDDEN);
  if (marks.some(({ state, group }) => state === 'DISABLED' || group.state === 'DISABLED')) throw refuseField('markIds', '标签已停用');
  const singles = marks.filter(({ group }) => group.selectMode === 'SINGLE').map(({ groupId }) => groupId);
  if (new Set(singles).size < singles.length) throw refuseField('markIds', '组内单选的标签只能选择一个');
  if (expireAt !== null && Date.parse(expireAt) <= Date.parse(now)) throw refuseField('expireAt', '到期时间须晚于当前时间');
}

async function endReplaced(ctx: CommandContext, replaced: readonly Live[]): Promise<void> {
  if (replaced.length === 0) return;
  const { rows } = await sql<EndedBinding>`
    update content_mark_binding b set ended_at = ${ctx.now}, ended_by = ${ctx.staff.userId}, end_reason = 'REPLACED'
      from content_mark m where m.id = b.mark_id and b.id = any(${replaced.map(({ id }) => id)}::bigint[])
    returning b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source`.execute(ctx.tx);
  await publishUnbound(ctx, rows);
}

/** Marks on up to 500 objects: each row for itself; what is bound already stays as it is. */
export const bind = (kernel: Kernel) =>
  command(bindMark, async (input, ctx) => {
    const tx = ownTx(ctx.tx);
    const marks = await lockMarks(ctx, input);
    requireUsable(marks, input.expireAt, ctx.now);
    const asked = await askedObjects(kernel, ctx, input);
    const known = asked.flatMap(({ id }) => (id === null ? [] : [id]));
    const live = known.length
      ? await tx
          .selectFrom('contentMarkBinding')
          .select(['id', 'markId', 'groupId', 'objectId', 'source'])
          .where('groupId', 'in', [...new Set(marks.map(({ groupId }) => groupId))])
          .where('objectType', '=', input.objectType)
          .where('objectId', 'in', known)
          .where('endedAt', 'is', null)
          .execute()
      : [];
    const byObject = Map.groupBy<string, Live>(live, ({ objectId }) => objectId);
    const plans: (Plan & { objectId: string })[] = [];
    const outcomes = asked.map(({ id, name }): BindOutcome => {
      const refused = (code: string, message: string) => ({ objectId: id, name, ok: false, replaced: 0, code, message });
      if (id === null) return refused(markErrors.NO_OBJECT.code, markErrors.NO_OBJECT.text);
      const plan = planOf(marks, byObject.get(id) ?? []);
      if ('limit' in plan) return refused(markErrors.TOO_MANY.code, fillText(markErrors.TOO_MANY.text, { n: plan.limit }));
      plans.push({ ...plan, objectId: id });
      return { objectId: id, name, ok: true, replaced: plan.end.length, code: null, message: '' };
    });
    await endReplaced(
      ctx,
      plans.flatMap(({ end }) => end),
    );
    const confirmed = plans.flatMap(({ own }) => own.map(({ id }) => id));
    if (confirmed.length > 0) {
      await tx
        .updateTable('contentMarkBinding')
        .set({ source: 'MANUAL', sourceId: null, boundBy: ctx.staff.userId })
        .where('id', 'in', confirmed)
        .execute();
    }
    const added = plans.flatMap(({ add, objectId }) => add.map((mark) => ({ mark, objectId })));
    if (added.length > 0) {
      await tx
        .insertInto('contentMarkBinding')
        .values(
          added.map(({ mark, objectId }) => ({
            markId: mark.id,
            groupId: mark.groupId,
            objectType: mark.group.objectType,
            selectMode: mark.group.selectMode,
            objectId,
            source: 'MANUAL' as const,
            boundAt: ctx.now,
            boundBy: ctx.staff.userId,
            expireAt: input.expireAt ?? (mark.defaultDays === null ? null : plusMs(ctx.now, days(mark.defaultDays))),
            note: input.note,
          })),
        )
        .execute();
      await ctx.publishMany(
        markBound,
        added.map(({ mark, objectId }) => ({
          aggregateId: `${input.objectType}:${objectId}:${mark.id}`,
          payload: {
            markId: mark.id,
            markCode: mark.markCode,
            objectType: input.objectType,
            objectId,
            source: 'MANUAL',
            at: ctx.now,
          },
        })),
      );
    }
    for (const mark of marks) ctx.target({ type: MARK_TARGET, id: mark.id, no: mark.markCode });
    return outcomes;
  });

/** Takes marks from objects, whoever or whatever put them there; what carries none of them stays as it is. */
export const unbind = (kernel: Kernel) =>
  command(unbindMark, async (input, ctx) => {
    const marks = await lockMarks(ctx, input);
    const asked = await askedObjects(kernel, ctx, input);
    const objectIds = asked.flatMap(({ id }) => (id === null ? [] : [id]));
    const ended = objectIds.length ? await endBindings(ctx, { markIds: marks.map(({ id }) => id), objectIds }, 'MANUAL') : [];
    for (const mark of marks) ctx.target({ type: MARK_TARGET, id: mark.id, no: mark.markCode });
    return asked.map(({ id, name }) => ({
      objectId: id,
      name,
      ok: id !== null,
      replaced: ended.filter(({ objectId }) => objectId === id).length,
      code: id === null ? markErrors.NO_OBJECT.code : null,
      message: id === null ? markErrors.NO_OBJECT.text : '',
    }));
  });

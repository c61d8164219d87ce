import { refuseField } from '../../../../kernel/contract/errors.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { ownTx } from '../database.ts';
import { lockGroup, markMissing } from './access.ts';
import { typeOf } from './objects.ts';

interface Wish {
  markIds: readonly string[];
  objectType: ObjectTypeCode;
  objectIds: readonly string[];
  objectNos: readonly string[];
}

/** The marks of a call with their groups, which are locked in one order, so that two calls never wait for each other. */
export async function lockMarks(ctx: CommandContext, { markIds, objectType }: Wish) {
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
export type LockedMark = Awaited<ReturnType<typeof lockMarks>>[number];

/** One object that a call names; without an id there is none that the caller sees. */
export interface Asked {
  id: string | null;
  name: string;
}

/** The objects of a call, each once, by ids and by numbers. */
export async function askedObjects(kernel: Pick<Kernel, 'registry'>, ctx: CommandContext, wish: Wish): Promise<Asked[]> {
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

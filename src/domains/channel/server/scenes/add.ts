import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { CodeStyle, Target } from '../../contract/calls/codeFields.ts';
import { addSceneCode, batchAddSceneCode } from '../../contract/calls/scenes.ts';
import { channelErrors } from '../../contract/errors.ts';
import { sceneCodes } from '../access.ts';
import { ownTx } from '../database.ts';
import { insertCode, keepLogo } from '../codes/save.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { requireReadable, requireStyle } from '../codes/target.ts';
import { groundsOf, pairKey, refusalOfPair, type Grounds } from './guards.ts';

export const SCENE_TARGET = sceneCodes.type;
const MOST_PAIRS = 2_000;

interface NewSceneCode {
  sceneId: string;
  channelId: string;
  doctorId: string | null;
  entry: 'AUTO' | 'PAY';
  itemId: string | null;
  assistantId: string | null;
  remark: string;
  style: CodeStyle;
}

/** Makes the code and what it carries; the unique triple is the database's. */
export async function insertSceneCode(
  ctx: Pick<CommandContext, 'tx' | 'now' | 'today'>,
  grounds: Grounds,
  wish: NewSceneCode,
  userId: string | null,
): Promise<{ id: string; no: string } | null> {
  const sceneCodeNo = await nextNumber(ctx.tx, 'CM', ctx.today);
  const doctor = wish.doctorId === null ? '' : `-${grounds.doctors.get(wish.doctorId)?.name ?? ''}`;
  const target: Target = { type: 'SCENE', url: null, appId: null, path: null, env: null, refId: wish.sceneId };
  const code = await insertCode(
    ctx,
    {
      kind: 'SCENE',
      name: `${grounds.scene?.name ?? '场景'}${doctor}`.slice(0, 40),
      channelId: wish.channelId,
      target,
      params: {},
      style: wish.style,
    },
    { now: ctx.now, userId },
  );
  const { style: _style, ...fields } = wish;
  const row = await ownTx(ctx.tx)
    .insertInto('channelSceneCode')
    .values({ ...fields, sceneCodeNo, codeId: code.id, ...createdColumns({ now: ctx.now, userId }) })
    .onConflict((conflict) =>
      conflict
        .columns(['sceneId', 'channelId', 'doctorId'])
        .where(sql<boolean>`state <> 'VOID'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (row) return { id: row.id, no: sceneCodeNo };
  await ownTx(ctx.tx).deleteFrom('channelQrCode').where('id', '=', code.id).execute();
  return null;
}

export const addOne = (kernel: Kernel) =>
  command(addSceneCode, async (input, ctx) => {
    const grounds = await groundsOf(ctx.tx, ctx.staff, {
      sceneId: input.sceneId,
      channelIds: [input.channelId],
      doctorIds: input.doctorId === null ? [] : [input.doctorId],
    });
    if (!grounds.channels.has(input.channelId)) throw refuse(platformErrors.NOT_FOUND);
    requireStyle(input.style);
    const refusal = refusalOfPair(grounds, input.channelId, input.doctorId);
    if (refusal) throw refusal;
    const made = await insertSceneCode(ctx, grounds, input, ctx.staff.userId);
    if (!made) throw refuse(channelErrors.SCENE_CODE_EXISTS, { no: '刚刚新增' });
    await keepLogo(ctx, SCENE_TARGET, made.id, input.style);
    await requireReadable(kernel, ctx.tx, input.style);
    ctx.target({ type: SCENE_TARGET, id: made.id, no: made.no });
    return { id: made.id, no: made.no, version: 1 };
  });

/** Channels times doctors; every pair answers for itself, and what is there already is SAME, not an error. */
export const addMany = (kernel: Kernel) =>
  command(batchAddSceneCode, async ({ sceneId, channelIds, doctorIds, dryRun, ...fields }, ctx) => {
    const channels = [...new Set(channelIds)];
    const doctors: (string | null)[] = doctorIds.length === 0 ? [null] : [...new Set(doctorIds)];
    if (channels.length * doctors.length > MOST_PAIRS) throw refuse(channelErrors.TOO_MANY_PAIRS);
    requireStyle(fields.style);
    const grounds = await groundsOf(ctx.tx, ctx.staff, { sceneId, channelIds: channels, doctorIds: doctors.filter((id) => id !== null) });
    if (channels.some((id) => !grounds.channels.has(id))) throw refuse(platformErrors.NOT_FOUND);
    const pairs: { channelId: string; doctorId: string | null; result: 'NEW' | 'SAME' | 'REFUSED'; message: string }[] = [];
    for (const channelId of channels) {
      for (const doctorId of doctors) {
        const refusal = refusalOfPair(grounds, channelId, doctorId);
        const same = grounds.existing.get(pairKey(channelId, doctorId));
        if (refusal) {
          pairs.push({ channelId, doctorId, result: same === undefined ? 'REFUSED' : 'SAME', message: refusal.message });
          continue;
        }
        const made = dryRun
          ? { id: '', no: '' }
          : await insertSceneCode(ctx, grounds, { sceneId, channelId, doctorId, ...fields }, ctx.staff.userId);
        if (made && !dryRun) {
          await keepLogo(ctx, SCENE_TARGET, made.id, fields.style);
          ctx.target({ type: SCENE_TARGET, id: made.id, no: made.no });
        }
        pairs.push({ channelId, doctorId, result: made ? 'NEW' : 'SAME', message: made ? made.no : '已存在' });
      }
    }
    if (!dryRun) await requireReadable(kernel, ctx.tx, fields.style);
    const count = (result: string) => pairs.filter((pair) => pair.result === result).length;
    return { added: count('NEW'), same: count('SAME'), refused: count('REFUSED'), pairs };
  });

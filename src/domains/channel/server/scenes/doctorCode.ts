import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { plainStyle, type Target } from '../../contract/calls/codeFields.ts';
import { insertChannel } from '../channels/insert.ts';
import { lockNames } from '../channels/save.ts';
import { insertCode } from '../codes/save.ts';
import { linkOf } from '../codes/target.ts';
import { own, ownTx } from '../database.ts';

/** Codes of doctors whom no channel brought hang on this one. */
const ORGANIC = '医生名片';

/** A channel that codes may hang on: the wished one while it is in use, else the common one, made when it is first needed. */
async function channelFor(ctx: Writing & { now: Instant }, channelId: string | null): Promise<string> {
  const wished =
    channelId === null
      ? undefined
      : await ownTx(ctx.tx)
          .selectFrom('channelChannel')
          .select('id')
          .where('id', '=', channelId)
          .where('state', '=', 'ENABLED')
          .executeTakeFirst();
  if (wished) return wished.id;
  await lockNames(ctx.tx, null);
  const common = await ownTx(ctx.tx)
    .selectFrom('channelChannel')
    .select('id')
    .where('parentId', 'is', null)
    .where('name', '=', ORGANIC)
    .executeTakeFirst();
  if (common) return common.id;
  return (
    await insertChannel(
      ctx,
      { parent: null, channelType: 'OTHER', name: ORGANIC, startDate: dayOf(ctx.now) },
      { now: ctx.now, userId: null },
    )
  ).id;
}

export interface DoctorCode {
  codeId: string;
  token: string;
  link: string;
}

/** Makes the code that a doctor's card carries: it opens the doctor's page and counts for the channel that brought him. */
export async function createSceneCode(
  kernel: Pick<Kernel, 'config'>,
  ctx: Writing & { now: Instant },
  wish: { doctorId: string; doctorName: string; channelId: string | null },
): Promise<DoctorCode> {
  const target: Target = { type: 'DOCTOR', url: null, appId: null, path: null, env: null, refId: wish.doctorId };
  const code = await insertCode(
    ctx,
    {
      kind: 'COMMON',
      name: `名片-${wish.doctorName}`.slice(0, 40),
      channelId: await channelFor(ctx, wish.channelId),
      target,
      params: {},
      style: plainStyle,
    },
    { now: ctx.now, userId: null },
  );
  return { codeId: code.id, token: code.token, link: linkOf(kernel, code.token) };
}

/** Turns a code of a doctor's card off or on again; a voided one stays void. */
export async function switchSceneCode(ctx: Writing & { now: Instant }, codeId: string, on: boolean): Promise<void> {
  await ownTx(ctx.tx)
    .updateTable('channelQrCode')
    .set((eb) => ({ state: on ? 'ACTIVE' : 'DISABLED', version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', codeId)
    .where('state', '=', on ? 'DISABLED' : 'ACTIVE')
    .execute();
}

/** How often codes were scanned; unknown ones are left out. */
export async function scansOfCodes(db: Db, codeIds: readonly string[]): Promise<{ codeId: string; scans: number; state: string }[]> {
  if (codeIds.length === 0) return [];
  const rows = await own(db)
    .selectFrom('channelQrCode')
    .select(['id', 'pv', 'state'])
    .where('id', 'in', [...codeIds])
    .execute();
  return rows.map(({ id, pv, state }) => ({ codeId: id, scans: pv, state }));
}

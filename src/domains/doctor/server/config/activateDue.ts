import { moveState } from '#kernel/server/audit/transition.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { configMachine } from '../../contract/states.ts';
import { lockKeys, ownTx } from '../database.ts';
import { CONFIG_TARGET } from '../items/files.ts';

/** A version whose time has come takes the place of the one before. Readers go by the times alone, so nothing depends on when this runs. */
export async function activateDueConfig(ctx: Acting): Promise<void> {
  await lockKeys(ctx.tx, ['serviceConfig']);
  const due = await ownTx(ctx.tx)
    .selectFrom('doctorServiceConfigVersion')
    .select(['id', 'versionNo'])
    .where('state', '=', 'DRAFT')
    .where('publishedAt', 'is not', null)
    .where('effectiveFrom', '<=', ctx.now)
    .forUpdate()
    .executeTakeFirst();
  if (!due) return;
  const former = await ownTx(ctx.tx)
    .selectFrom('doctorServiceConfigVersion')
    .select(['id', 'versionNo'])
    .where('state', '=', 'ACTIVE')
    .forUpdate()
    .executeTakeFirst();
  const set = (id: string, state: 'ACTIVE' | 'HISTORY') =>
    ownTx(ctx.tx)
      .updateTable('doctorServiceConfigVersion')
      .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', id)
      .execute();
  if (former) {
    await moveState(ctx, configMachine, {
      targetType: CONFIG_TARGET,
      targetId: former.id,
      targetNo: `V${former.versionNo}`,
      action: 'retire',
      from: 'ACTIVE',
    });
    await set(former.id, 'HISTORY');
  }
  await moveState(ctx, configMachine, {
    targetType: CONFIG_TARGET,
    targetId: due.id,
    targetNo: `V${due.versionNo}`,
    action: 'activate',
    from: 'DRAFT',
  });
  await set(due.id, 'ACTIVE');
}

export const activateDueConfigJob = job({
  name: 'doctor.turnServiceConfig',
  label: '服务配置到点生效',
  async run(_data, ctx) {
    await ctx.transaction((writing) => activateDueConfig(asSystem(writing, ctx)));
  },
});

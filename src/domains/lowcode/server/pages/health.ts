import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { recheckPages } from '../../contract/calls/pages.ts';
import { lowcodePermissions as may } from '../../contract/permissions.ts';
import { checkText } from '../check/check.ts';
import { ownTx } from '../database.ts';
import { factsOf } from '../stored.ts';

/** R7: every published version against the datasets that run now. A broken page stays online without the blocks that broke. */
export async function recheck(
  kernel: Kernel,
  tx: Tx,
  now: Instant,
): Promise<{ checked: number; broken: { routeKey: string; faults: number }[] }> {
  const facts = factsOf(kernel.registry);
  const pages = await ownTx(tx)
    .selectFrom('lowcodePage as p')
    .innerJoin('lowcodePageVersion as v', 'v.id', 'p.publishedVersionId')
    .select(['p.id', 'p.token', 'p.title', 'p.health', 'v.definition'])
    .orderBy('p.id')
    .forUpdate('p')
    .execute();
  const broken = [];
  for (const page of pages) {
    const errors = checkText(page.definition, facts).problems.filter(({ severity }) => severity === 'E');
    const health = errors.length > 0 ? 'BROKEN' : 'OK';
    if (errors.length > 0) broken.push({ token: page.token, title: page.title, faults: errors.length, fresh: page.health === 'OK' });
    if (health === page.health && errors.length === 0) continue;
    await ownTx(tx)
      .updateTable('lowcodePage')
      .set({ health, healthDetail: JSON.stringify(errors) })
      .where('id', '=', page.id)
      .execute();
  }
  for (const { token, title, faults, fresh } of broken) {
    if (!fresh) continue;
    await kernel.ports.notices.addAlert(
      tx,
      {
        businessKey: `lowcode.broken.${token}.${dayOf(now)}`,
        title: `低代码页面“${title}”的数据集已变更`,
        body: `${faults}处需要修改，页面仍可打开，受影响的区域不显示`,
        link: `/amisPageV1?token=${token}`,
        permission: may['page.publish'].code,
      },
      now,
    );
  }
  return { checked: pages.length, broken: broken.map(({ token, faults }) => ({ routeKey: token, faults })) };
}

export const healthHandlers = (kernel: Kernel): Handler[] => [command(recheckPages, (_input, ctx) => recheck(kernel, ctx.tx, ctx.now))];

import { asSystem } from '#kernel/server/command/acting.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { stopped } from '../applies/clock.ts';
import { own } from '../database.ts';
import { enrolReview, OTHER_MATERIAL } from '../review.ts';
import { advance } from './decide.ts';
import { otherMaterialRecords, ownerOf } from './records.ts';

/** Hourly: what was asked for and not handed in within its days ends the case. */
export const lapseOtherMaterialJob = job({
  name: 'enrolment.lapseOtherMaterials',
  label: '撤回逾期未补件的其他材料',
  cron: '20 * * * *',
  async run(_data, ctx) {
    const late = await own(ctx.db)
      .selectFrom('enrolmentSupplement as s')
      .innerJoin('enrolmentOtherMaterial as m', 'm.id', 's.ownerId')
      .select(['m.id', 'm.materialNo'])
      .where('s.ownerType', '=', OTHER_MATERIAL)
      .where('s.state', '=', 'OPEN')
      .where('s.dueAt', '<', ctx.now)
      .orderBy('m.id')
      .execute();
    const failures = isolateFailures(ctx);
    for (const { id, materialNo } of late)
      await failures.run(materialNo, () =>
        ctx.transaction(async (writing) => {
          const acting = asSystem(writing, ctx);
          const material = await otherMaterialRecords.lock(acting.tx, otherMaterialRecords.everyone, id);
          const review = enrolReview(ctx.kernel.secrets);
          const open = (await review.supplements.of(acting.tx, ownerOf(material))).find(({ state }) => state === 'OPEN');
          if (material.state !== 'SUPPLEMENT' || !open || open.dueAt >= ctx.now) return;
          await review.supplements.lapse(acting, ownerOf(material));
          await advance(acting, material, 'lapse', '补件期限已过，系统撤回', stopped);
        }),
      );
    failures.throwIfAny();
  },
});

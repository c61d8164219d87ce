import { dayOf } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { definePurpose, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { EVIDENCE_PURPOSE } from '../../contract/calls/attribution.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { CHANGE_TARGET, seesChange } from './access.ts';
import { applyHandovers, attributionConsumers } from './consume.ts';
import { writeAttributionDemo } from './demo.ts';
import { attributionChangeExport } from './changeList.ts';
import { attributionHandlers } from './handlers.ts';
import { attributionImporter } from './importChanges.ts';
import { attributionLists } from './list.ts';
import { performChange } from './perform.ts';

const MB = 1024 * 1024;

/** Approved changes and hand-overs take effect with the day's first moment. */
const dayJob = job({
  name: 'doctor.turnAttributions',
  label: '渠道归属生效',
  cron: '0 0 * * *',
  async run(_data, ctx) {
    await ctx.transaction((writing) => applyHandovers(asSystem(writing, ctx)));
    const due = await own(ctx.db)
      .selectFrom('doctorAttributionChange')
      .select('id')
      .where('state', '=', 'APPROVED')
      .where('performedAt', 'is', null)
      .where('effectiveOn', '<=', dayOf(ctx.now))
      .orderBy('id')
      .execute();
    for (const { id } of due) await ctx.transaction((writing) => performChange(asSystem(writing, ctx), id));
  },
});

async function sees({ db, staff }: Reader, changeId: string): Promise<boolean> {
  if (!staff.permissions.has(may['attribution.view'].code)) return false;
  return Boolean(
    await own(db)
      .selectFrom('doctorAttributionChange as g')
      .select('g.id')
      .where('g.id', '=', changeId)
      .where(seesChange(staff))
      .executeTakeFirst(),
  );
}

/** Which channel brought a doctor or a patient. */
export const attributionModule: FeatureModule = {
  handlers(kernel) {
    definePurpose({
      code: EVIDENCE_PURPOSE,
      label: '归属变更证明',
      types: ['jpg', 'png', 'pdf'],
      maxSize: 10 * MB,
      count: 9,
      sensitive: true,
      uploadPermissions: [may['attribution.edit'].code],
    });
    registerOwner(CHANGE_TARGET, { canRead: sees, canReadOriginal: sees });
    return attributionHandlers(attributionLists(kernel));
  },
  jobs: [dayJob],
  consumers: attributionConsumers,
  exports: (kernel) => [attributionLists(kernel).source, attributionChangeExport],
  importers: [attributionImporter],
  demo: writeAttributionDemo,
  invariants: [
    [
      '渠道归属不唯一',
      `
        select count(*)::int as n
          from doctor_doctor d
          where (
            select count(*) from doctor_attribution t where t.subject_type = 'DOCTOR' and t.subject_id = d.id and t.ended_at is null
          ) <> 1`,
    ],
    [
      '渠道归属有间断',
      `
        select count(*)::int as n
          from (
            select ended_at, lead(started_at) over (partition by subject_type, subject_id order by started_at, id) as next
              from doctor_attribution
          ) x
          where x.ended_at is not null and x.next is not null and x.ended_at <> x.next`,
    ],
    [
      '医生渠道与归属不符',
      `
        select count(*)::int as n
          from doctor_doctor d
          join doctor_attribution t on t.subject_type = 'DOCTOR' and t.subject_id = d.id and t.ended_at is null
          where d.channel_id is distinct from t.channel_id`,
    ],
  ],
};

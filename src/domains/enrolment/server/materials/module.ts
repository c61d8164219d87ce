import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { queryOtherMaterialCounts } from '../../contract/calls/otherMaterials.ts';
import { enrolReview } from '../review.ts';
import { audit, saveWork } from './decide.ts';
import { materialDetail, reveal } from './detail.ts';
import { add, supply } from './enter.ts';
import { lapseOtherMaterialJob } from './jobs.ts';
import { otherMaterialExport, otherMaterialList, queueCounts } from './list.ts';
import { materialDesk, ownerOf } from './records.ts';

/** What is handed in for contracts: entered, reviewed, and what its pass does to the contract. */
export const materialsModule: FeatureModule = {
  handlers: (kernel) => [
    otherMaterialList(kernel.secrets).handler,
    query(queryOtherMaterialCounts, (_input, ctx) => queueCounts(ctx.db, ctx.staff, ctx.now)),
    materialDetail(kernel),
    reveal(kernel),
    ...materialDesk.handlers({ taken: (ctx, material) => enrolReview(kernel.secrets).duplicates.find(ctx, ownerOf(material), []) }),
    add(kernel),
    supply(kernel),
    saveWork(kernel),
    audit(kernel),
  ],
  exports: (kernel) => [otherMaterialExport(otherMaterialList(kernel.secrets))],
  jobs: [lapseOtherMaterialJob],
  invariants: [
    [
      '待补件的其他材料恰有一份未答复的补件通知',
      `
        select count(*)::int as n
          from enrolment_other_material m
          where (m.state = 'SUPPLEMENT') <> exists (
            select from enrolment_supplement s where s.owner_type = 'OTHER_MATERIAL' and s.owner_id = m.id and s.state = 'OPEN')`,
    ],
  ],
};

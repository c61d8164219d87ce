import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { audit, expireMarksJob } from './decide.ts';
import { markImporter } from './importer.ts';
import { markDetail, markExport, markList, markOverlaps } from './list.ts';
import { add, modify, remove, reveal } from './write.ts';

/** Marks of persons that change how their applications are reviewed, or what they pay. */
export const marksModule: FeatureModule = {
  handlers: (kernel) => [
    markList(kernel).handler,
    markDetail,
    markOverlaps(kernel),
    add(kernel),
    modify(kernel),
    audit,
    remove,
    reveal(kernel),
  ],
  exports: (kernel) => [markExport(kernel)],
  importers: (kernel) => [markImporter(kernel)],
  jobs: [expireMarksJob],
  invariants: [
    [
      '同一人的同类生效标记日期不重叠',
      `
        select count(*)::int as n
          from enrolment_special_user u
          join enrolment_special_user o
            on o.person_key = u.person_key and o.mark_type = u.mark_type and o.id > u.id
          where u.state = 'EFFECTIVE' and o.state = 'EFFECTIVE' and o.start_date <= u.end_date and o.end_date >= u.start_date`,
    ],
  ],
};

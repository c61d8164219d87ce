import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { bindingImporter } from './bindings/importer.ts';
import { bind, unbind } from './bindings/bind.ts';
import { bindingExport, bindingList, objectMarks } from './bindings/list.ts';
import { markConsumers } from './consumers.ts';
import { writeMarkDemo } from './demo.ts';
import { expireBindings } from './bindings/end.ts';
import { addGroup, modifyGroup, removeGroup, sortGroups } from './groups.ts';
import { markExport, groupList } from './list.ts';
import { add, merge, modify, remove } from './marks.ts';

/** What must never be found of marks, as the number of rows that break it. */
const markInvariants: readonly (readonly [name: string, statement: string])[] = [
  [
    '标签对象数与打标记录不符',
    `select count(*)::int as n from content_mark m
      where m.object_count <> (select count(*) from content_mark_binding b where b.mark_id = m.id and b.ended_at is null)`,
  ],
  [
    '同一对象同一标签重复生效',
    `
      select count(*)::int as n
        from (select 1 from content_mark_binding where ended_at is null group by mark_id, object_type, object_id having count(*) > 1) x`,
  ],
  [
    '组内单选标签多个生效',
    `select count(*)::int as n from (select 1 from content_mark_binding b join content_tag_group g on g.id = b.group_id
      where b.ended_at is null and g.select_mode = 'SINGLE' group by b.group_id, b.object_id having count(*) > 1) x`,
  ],
];

export const marksModule: FeatureModule = {
  handlers: (kernel) => [
    groupList,
    addGroup,
    modifyGroup,
    removeGroup,
    sortGroups,
    add,
    modify,
    remove,
    merge,
    bind(kernel),
    unbind(kernel),
    bindingList(kernel).handler,
    objectMarks(kernel),
  ],
  jobs: [expireBindings],
  consumers: markConsumers,
  exports: (kernel) => [markExport, bindingExport(kernel)],
  importers: (kernel) => [bindingImporter(kernel)],
  demo: writeMarkDemo,
  invariants: markInvariants,
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { activateReleases } from '../releases/activate.ts';
import { preview, releaseDiff, releaseList } from '../releases/read.ts';
import { audit } from '../releases/release.ts';
import { writeFloorDemo } from './demo.ts';
import { floorEdits } from './edit.ts';
import { pageLayout, pageList } from './read.ts';

export const floorsModule: FeatureModule = {
  handlers: (kernel) => [pageList, pageLayout(kernel), ...floorEdits(kernel), releaseList, releaseDiff, audit, preview(kernel)],
  jobs: [activateReleases],
  demo: writeFloorDemo,
  invariants: [
    [
      '页面多于一个生效版本',
      `select count(*)::int as n from (select 1 from content_page_release where state = 'LIVE' group by page_code having count(*) > 1) x`,
    ],
    ['页面版本内容已变化', `select count(*)::int as n from content_page_release where content_hash <> md5(snapshot::text)`],
    ['页面版本自行审核', `select count(*)::int as n from content_page_release where audited_by = submitted_by`],
  ],
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { contractConsumer } from './contracts.ts';
import { dueLinesJob, executeJob } from './execute.ts';
import { grantImporter } from './importer.ts';
import { grantList, grantExport, lineList, lineExport, detail, add, submit, audit, retry, revoke } from './handlers.ts';

/** Grants: what is put on whose card, passed by others than who asked for it. */
export const grantsModule: FeatureModule = {
  handlers: (kernel) => [grantList.handler, lineList.handler, detail, add(kernel), submit, audit(kernel), retry(kernel), revoke(kernel)],
  jobs: (kernel) => [executeJob(kernel), dueLinesJob(kernel)],
  consumers: (kernel) => [contractConsumer(kernel)],
  exports: [grantExport, lineExport],
  importers: (kernel) => [grantImporter(kernel, may['grant.edit'].code)],
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { departmentImporter } from '../transfer/departmentImporter.ts';
import { departmentHandlers } from './handlers.ts';
import { standardDeptReference } from './reference.ts';

export const departmentsModule: FeatureModule = {
  handlers: departmentHandlers,
  importers: [departmentImporter],
  reference: [standardDeptReference],
};

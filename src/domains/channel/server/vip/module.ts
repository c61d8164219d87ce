import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { vipHandlers } from './handlers.ts';
import { vipMemberImporter } from './importMembers.ts';
import { vipExport } from './list.ts';
import { usageExport } from './usage.ts';

export const vipModule: FeatureModule = { handlers: vipHandlers, exports: [vipExport, usageExport], importers: [vipMemberImporter] };

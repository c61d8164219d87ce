import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { channelHandlers } from './handlers.ts';
import { channelImporter } from './importChannels.ts';
import { channelExport } from './list.ts';

export const channelsModule: FeatureModule = { handlers: channelHandlers, exports: [channelExport], importers: [channelImporter] };

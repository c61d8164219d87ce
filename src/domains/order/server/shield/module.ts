import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { Channels } from '../channels.ts';
import { writeShields } from '../demo/writeShields.ts';
import { shieldHandlers } from './handlers.ts';
import { shieldImporter } from './importer.ts';
import { shieldDetail, shieldExport, shieldList, shieldTest } from './list.ts';

/** 隐藏加购设置: goods that the app does not let people put into the cart. */
export const shieldModule = (channels: Channels): FeatureModule => ({
  handlers: [shieldList.handler, shieldDetail(channels), shieldTest, ...shieldHandlers(channels)],
  exports: [shieldExport],
  importers: [shieldImporter(channels)],
  demo: (demo) => writeShields(demo, channels),
});

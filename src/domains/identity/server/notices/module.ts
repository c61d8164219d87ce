import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { announcementHandlers } from './announcements.ts';
import { myNoticeHandlers } from './mine.ts';

export const noticesModule = (core: IdentityCore): FeatureModule => ({
  handlers: [...announcementHandlers(core), ...myNoticeHandlers],
});

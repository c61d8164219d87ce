import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { messageHandlers } from './handlers.ts';

export const messagesModule: FeatureModule = { handlers: messageHandlers };

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { noteHandlers } from './handlers.ts';

/** Notes of colleagues in a conversation; never a message. */
export const notesModule: FeatureModule = { handlers: noteHandlers };

import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { noteHandlers } from './handlers.ts';

/** Notes of colleagues in a conversation; never a message. */
export const notePart: ModulePart = { handlers: noteHandlers };

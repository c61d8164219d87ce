import type { Part } from '../wiring.ts';
import { noteHandlers } from './handlers.ts';

/** Notes of colleagues in a conversation; never a message. */
export const notePart: Part = { handlers: noteHandlers };

import type { Part } from '../part.ts';
import { messageHandlers } from './handlers.ts';

export const messagePart: Part = { handlers: messageHandlers };

import type { Part } from '../wiring.ts';
import { messageHandlers } from './handlers.ts';

export const messagePart: Part = { handlers: messageHandlers };

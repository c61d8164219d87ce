import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { messageHandlers } from './handlers.ts';

export const messagePart: ModulePart = { handlers: messageHandlers };

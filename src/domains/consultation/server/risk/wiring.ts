import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { writeRiskWords } from './demo.ts';
import { riskHandlers } from './handlers.ts';

/** Words that stop a message, or mark it. */
export const riskPart: ModulePart = { handlers: riskHandlers, demo: writeRiskWords };

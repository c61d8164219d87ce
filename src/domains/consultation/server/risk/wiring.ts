import type { Part } from '../wiring.ts';
import { writeRiskWords } from './demo.ts';
import { riskHandlers } from './handlers.ts';

/** Words that stop a message, or mark it. */
export const riskPart: Part = { handlers: riskHandlers, demo: writeRiskWords };

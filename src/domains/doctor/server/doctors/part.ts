import type { Part } from '../part.ts';

export const doctorsPart: Part = { handlers: () => [] };
